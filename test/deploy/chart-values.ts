import { readValues } from './manifests.ts'

/** The chart's own values with a change of its config. */
export const withConfig = (change: Record<string, unknown>) => ({
  config: { ...(readValues().config as object), ...change },
})

/** The same with a change of its network policy. */
export const withPolicy = (change: Record<string, unknown>) => ({
  networkPolicy: { ...(readValues().networkPolicy as object), ...change },
})

/** Values for all that is empty or off by default. */
export const EVERY_VALUE = {
  ...readValues(),
  ...withConfig({ service: { url: 'https://cobrowse.example.net:8443' } }),
  ...withPolicy({
    dns: { namespace: 'openshift-dns', podLabels: { dns: 'default' }, port: 5353 },
    extraEgress: [
      { to: [{ ipBlock: { cidr: '169.254.20.10/32' } }], ports: [{ port: 9053, protocol: 'UDP' }] },
    ],
  }),
  image: { repository: 'points', tag: '', digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'pull' }],
  preStopSeconds: 10,
  terminationGracePeriodSeconds: 60,
  podAnnotations: { 'a.example/b': 'c' },
  deploymentAnnotations: { 'a.example/d': 'true' },
  serviceAnnotations: { 'a.example/e': '1' },
  nodeSelector: { pool: 'points' },
  tolerations: [{ key: 'pool', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'arch', operator: 'In', values: ['amd64'] }] }],
      },
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'continuation-point' } },
    },
  ],
  envFrom: [{ secretRef: { name: 'keys' } }],
  extraEnv: [
    { name: 'NODE_EXTRA_CA_CERTS', value: '/run/secrets/continuation-point/ca.crt' },
    { name: 'API_KEY', valueFrom: { secretKeyRef: { name: 'api', key: 'key' } } },
  ],
  podMonitor: { enabled: true, labels: { release: 'prometheus' }, interval: '15s' },
}
