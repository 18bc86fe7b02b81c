import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { signerKind } from '../../../services/wallet/signer-kind.ts'
import type { Variables } from '../../helpers/app.ts'
import { t, test } from '../../helpers/tap.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'
import { buildCheck, configOf, pathOf, stopSeconds } from './manifests.ts'

interface Probe {
  httpGet: { path: string; port: string }
}

interface Labels {
  matchLabels: Variables
}

interface Server {
  command: string[]
  env: { name: string; value: string }[]
  image: string
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
  volumeMounts: { mountPath: string }[]
}

interface KubernetesObject {
  kind: string
  data: Variables
  metadata: { annotations: Variables }
  automountServiceAccountToken: boolean
  spec: {
    replicas: number
    strategy: object
    selector: Labels
    podSelector: Labels
    egress: { to: { podSelector?: Labels }[]; ports: { port: number }[] }[]
    template: {
      metadata: { labels: Variables }
      spec: {
        containers: [Server]
        automountServiceAccountToken: boolean
        enableServiceLinks: boolean
        terminationGracePeriodSeconds: number
      }
    }
  }
}

const folder = pathOf('deploy/kubernetes')
const check = buildCheck(t)

function objectsOf(variant: string): (kind: string) => KubernetesObject {
  const objects = check('kubernetes', join(folder, variant)) as KubernetesObject[]
  return kind => {
    const [found, ...others] = objects.filter(object => object.kind === kind)
    if (found === undefined || others.length > 0) throw new Error(`expected exactly one ${kind}`)
    return found
  }
}

const variants = { 'several-servers': 'Deployment', 'one-server': 'StatefulSet' }
for (const [variant, workload] of Object.entries(variants)) {
  test(`${variant}: the objects are valid and consistent`, async t => {
    const the = objectsOf(variant)
    const { metadata, spec } = the(workload).spec.template
    const [server] = spec.containers

    t.match(server, {
      startupProbe: { httpGet: { path: '/health', port: 'http' } },
      livenessProbe: { httpGet: { path: '/health', port: 'http' } },
      readinessProbe: { httpGet: { path: '/ready', port: 'http' } }
    })
    t.ok(spec.terminationGracePeriodSeconds > stopSeconds())
    t.equal(spec.automountServiceAccountToken, false)
    t.equal(the('ServiceAccount').automountServiceAccountToken, false)
    t.equal(spec.enableServiceLinks, false)

    const { labels } = metadata
    t.strictSame(the(workload).spec.selector, { matchLabels: labels })
    t.strictSame(the('Service').spec.selector, labels)
    const policy = the('NetworkPolicy').spec
    t.strictSame(policy.podSelector, { matchLabels: labels })
    t.match(policy.egress[0], {
      to: [{ podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
      ports: ['UDP', 'TCP'].map(protocol => ({ protocol, port: 53 }))
    })
    t.strictSame(Object.keys(policy.egress[0]?.to[0]?.podSelector?.matchLabels ?? {}), ['k8s-app'])

    const files = Object.fromEntries(server.env.map(({ name, value }) => [name, value]))
    const { config, secrets } = configOf(t, { NODE_ENV: 'production', ...the('ConfigMap').data, ...files })
    t.strictSame(
      server.ports.map(({ name, containerPort }) => [name, containerPort]),
      [
        ['http', config.PORT],
        ['metrics', config.METRICS_PORT]
      ]
    )
    t.equal(secrets.database !== undefined, variant === 'several-servers')
    t.equal(
      server.volumeMounts.some(({ mountPath }) => mountPath === '/app/data'),
      variant === 'one-server'
    )
  })
}

for (const variant of ['aws-kms', 'gcp-kms']) {
  test(`${variant}: differs from several-servers only in the signer and its network access`, async t => {
    const [the, others] = [objectsOf(variant), objectsOf('several-servers')]
    const { image, env } = the('Deployment').spec.template.spec.containers[0]
    t.equal(image, 'registry.example/transaction-back-end-signer:0.1.0')
    const files = Object.fromEntries(env.map(({ name, value }) => [name, value]))
    const { data } = the('ConfigMap')
    t.match(data, others('ConfigMap').data)
    const { config, warnings } = configOf(t, { NODE_ENV: 'production', ...data, ...files })
    t.equal(signerKind(config.SERVICE_SIGNER ?? ''), variant)
    t.strictSame(
      warnings.filter(([message]) => message.startsWith('unknown')),
      []
    )
    t.match(Object.values(the('ServiceAccount').metadata.annotations), [/transaction-back-end/])
    const extra = the('NetworkPolicy').spec.egress.slice(others('NetworkPolicy').spec.egress.length)
    t.strictSame(
      extra.flatMap(({ ports }) => ports),
      variant === 'gcp-kms' ? [{ port: 80 }, { port: 988 }] : []
    )
  })
}

const forTool = ({ env, image, volumeMounts }: Server) => ({ env, image, volumeMounts })

for (const [variant, workload] of Object.entries(variants)) {
  test(`${variant}: the pod for the operator tool has the settings of a server but does not run a server`, async t => {
    const [stopped, running] = [objectsOf(`stopped/${variant}`), objectsOf(variant)]
    const { spec } = stopped(workload)
    const [container] = spec.template.spec.containers
    const [server] = running(workload).spec.template.spec.containers
    t.equal(spec.replicas, 1)
    t.strictSame(forTool(container), forTool(server))
    t.strictSame(stopped('ConfigMap').data, running('ConfigMap').data)
    t.strictSame(
      Object.keys(container).filter(name => name.endsWith('Probe')),
      []
    )
    if (workload === 'Deployment')
      t.strictSame(spec.strategy, { type: 'Recreate' }, 'the running server is stopped first')

    const [program, option, script = ''] = container.command
    t.strictSame([program, option], ['node', '-e'])
    const stopping = `${script}; process.kill(process.pid, 'SIGTERM')`
    t.equal(
      spawnSync(process.execPath, ['-e', stopping], { timeout: PATIENCE_MS }).status,
      0,
      'the pod exits with code 0 on SIGTERM'
    )
  })
}
