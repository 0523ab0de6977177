package purity

import "strings"

const (
	metav1  = "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sRand = "k8s.io/apimachinery/pkg/util/rand"
)

// forbiddenImports maps import paths to the rule they break. A path that ends
// in /... stands for the package and everything below it.
var forbiddenImports = map[string]Rule{
	"k8s.io/client-go/...":                   Client,
	"k8s.io/apimachinery/pkg/watch":          Client,
	"math/rand/...":                          Randomness,
	"crypto/rand":                            Randomness,
	"hash/maphash":                           Randomness, // its seeds differ between processes
	"k8s.io/apimachinery/pkg/util/uuid":      Randomness,
	"os/...":                                 Environment,
	"io/ioutil":                              Environment,
	"path/filepath":                          Environment,
	"syscall/...":                            Environment,
	"runtime/...":                            Environment,
	"flag":                                   Environment,
	"expvar":                                 Environment,
	"plugin":                                 Environment,
	"net/...":                                Network,
	"k8s.io/apimachinery/pkg/util/net":       Network,
	"log/...":                                Logging,
	"k8s.io/klog/...":                        Logging,
	"github.com/go-logr/...":                 Logging,
	"k8s.io/apimachinery/pkg/util/runtime":   Logging,
	"sync/...":                               Concurrency, // a lock or a pool is state shared between calls
	"context":                                Concurrency, // nothing here waits, so nothing can be cancelled
	"k8s.io/apimachinery/pkg/util/wait":      Concurrency,
	"k8s.io/apimachinery/pkg/util/cache":     Concurrency,
	"k8s.io/apimachinery/pkg/util/waitgroup": Concurrency,
	"C":                                      Opaque,
	"testing/...":                            Testing,
}

// purePackages are below a forbidden tree but only compute.
var purePackages = map[string]bool{
	"net/netip": true,
	"net/url":   true,
}

// forbiddenNames maps functions and variables of packages that are otherwise
// fine to the rule they break, whether called or used as a value.
var forbiddenNames = map[string]map[string]Rule{
	"time": {
		"Now": Clock, "Since": Clock, "Until": Clock, "Sleep": Clock,
		"After": Clock, "AfterFunc": Clock, "Tick": Clock, "NewTimer": Clock, "NewTicker": Clock,
		"Local": Environment, "LoadLocation": Environment,
	},
	"fmt": {
		"Print": Output, "Printf": Output, "Println": Output,
		"Scan": Output, "Scanf": Output, "Scanln": Output,
	},
	metav1: {"Now": Clock, "NowMicro": Clock},
	// SafeEncodeString, in the same package, only computes.
	k8sRand: {
		"Int": Randomness, "Intn": Randomness, "IntnRange": Randomness, "Int63nRange": Randomness,
		"Perm": Randomness, "Seed": Randomness, "String": Randomness,
	},
}

// forbiddenImport reports the rule that importing path breaks.
func forbiddenImport(path string) (Rule, bool) {
	if purePackages[path] {
		return "", false
	}
	if rule, ok := forbiddenImports[path]; ok {
		return rule, true
	}
	for prefix := path; ; {
		if rule, ok := forbiddenImports[prefix+"/..."]; ok {
			return rule, true
		}
		slash := strings.LastIndexByte(prefix, '/')
		if slash < 0 {
			return "", false
		}
		prefix = prefix[:slash]
	}
}
