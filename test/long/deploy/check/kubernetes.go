package main

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// kubernetes builds a folder as `kubectl apply -k` does, decodes each object as the API server does with
// --validate=strict, and checks its pods against the restricted profile of the Pod Security Standards.
func kubernetes(folder string) (any, error) {
	decoder, err := strictDecoder()
	if err != nil {
		return nil, err
	}
	restricted, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		return nil, err
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, err
	}
	var objects []runtime.Object
	var problems []error
	for _, resource := range resources.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			return nil, err
		}
		object, _, err := decoder.Decode(text, nil, nil)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", resource.CurId(), err))
			continue
		}
		objects = append(objects, object)
		if template := podTemplate(object); template != nil {
			level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
			for _, result := range restricted.EvaluatePod(level, &template.ObjectMeta, &template.Spec) {
				if !result.Allowed {
					problems = append(problems, fmt.Errorf("%s: %s: %s", resource.CurId(), result.ForbiddenReason, result.ForbiddenDetail))
				}
			}
		}
	}
	return objects, errors.Join(problems...)
}

// strictDecoder returns a decoder that rejects unknown and duplicate fields.
func strictDecoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer(), nil
}

func podTemplate(object runtime.Object) *corev1.PodTemplateSpec {
	switch workload := object.(type) {
	case *appsv1.Deployment:
		return &workload.Spec.Template
	case *appsv1.StatefulSet:
		return &workload.Spec.Template
	}
	return nil
}
