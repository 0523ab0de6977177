package defaults

import (
	corev1 "k8s.io/api/core/v1"
)

// setVolume fills in a volume. One without a source is an emptyDir.
func setVolume(v *corev1.Volume) {
	if v.VolumeSource == (corev1.VolumeSource{}) {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if source := v.Image; source != nil {
		setIfZero(&source.PullPolicy, pullPolicy(source.Reference))
	}
	if source := v.HostPath; source != nil {
		setIfNil(&source.Type, corev1.HostPathUnset)
	}
	if source := v.Secret; source != nil {
		setIfNil(&source.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if source := v.ConfigMap; source != nil {
		setIfNil(&source.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if source := v.DownwardAPI; source != nil {
		setIfNil(&source.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		setDownwardItems(source.Items)
	}
	setProjected(v.Projected)
	setNetworkVolume(&v.VolumeSource)
	if source := v.Ephemeral; source != nil && source.VolumeClaimTemplate != nil {
		claim := &source.VolumeClaimTemplate.Spec
		setIfNil(&claim.VolumeMode, corev1.PersistentVolumeFilesystem)
		roundUp(claim.Resources.Limits)
		roundUp(claim.Resources.Requests)
	}
}

func setProjected(source *corev1.ProjectedVolumeSource) {
	if source == nil {
		return
	}
	setIfNil(&source.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
	for i := range source.Sources {
		if downward := source.Sources[i].DownwardAPI; downward != nil {
			setDownwardItems(downward.Items)
		}
		if token := source.Sources[i].ServiceAccountToken; token != nil {
			setIfNil(&token.ExpirationSeconds, defaultTokenExpirationSeconds)
		}
	}
}

func setDownwardItems(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		setFieldRef(items[i].FieldRef)
	}
}

// setNetworkVolume fills in the sources of which a driver runs in the kubelet, or
// once did.
func setNetworkVolume(v *corev1.VolumeSource) {
	if source := v.ISCSI; source != nil {
		setIfZero(&source.ISCSIInterface, "default")
	}
	if source := v.RBD; source != nil {
		setIfZero(&source.RBDPool, "rbd")
		setIfZero(&source.RadosUser, "admin")
		setIfZero(&source.Keyring, "/etc/ceph/keyring")
	}
	if source := v.AzureDisk; source != nil {
		setIfNil(&source.CachingMode, corev1.AzureDataDiskCachingReadWrite)
		setIfNil(&source.FSType, "ext4")
		setIfNil(&source.ReadOnly, false)
		setIfNil(&source.Kind, corev1.AzureSharedBlobDisk)
	}
	if source := v.ScaleIO; source != nil {
		setIfZero(&source.StorageMode, "ThinProvisioned")
		setIfZero(&source.FSType, "xfs")
	}
}
