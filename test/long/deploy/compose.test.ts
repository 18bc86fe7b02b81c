import { execFileSync } from 'node:child_process'
import type { Variables } from '../../helpers/app.ts'
import { read } from '../../helpers/repository.ts'
import { t, test } from '../../helpers/tap.ts'
import { buildCheck, configOf, pathOf } from './manifests.ts'

interface Service {
  build?: object
  image?: string
  environment?: Variables
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  ports?: { host_ip: string }[]
  volumes?: { type: string; source: string }[]
  secrets?: { source: string }[]
}

const check = buildCheck(t)
const { services } = check('compose', pathOf('compose.yaml')) as { services: Record<string, Service> }
const servers = Object.entries(services).filter(([name]) => name.startsWith('server-'))

test('every container is hardened and reachable only from the host', async t => {
  t.ok(Object.keys(services).length >= 7)
  for (const [name, service] of Object.entries(services)) {
    const { read_only, cap_drop, security_opt, ports = [] } = service
    t.equal(read_only, true, name)
    t.strictSame(cap_drop, ['ALL'], name)
    t.strictSame(security_opt, ['no-new-privileges:true'], name)
    for (const { host_ip } of ports) t.equal(host_ip, '127.0.0.1', name)
  }
})

test('a container starts only once its dependencies are healthy', async t => {
  for (const [name, { depends_on = {} }] of Object.entries(services)) {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      t.equal(condition, 'service_healthy', `${name} needs ${needed}`)
      // The servers' image defines their health check.
      t.ok(needed.startsWith('server-') || services[needed]?.healthcheck !== undefined, needed)
    }
  }
})

test('the servers have valid settings, with secrets only in files', async t => {
  t.equal(servers.length, 2)
  for (const [, { environment = {}, secrets = [] }] of servers) {
    const { config, secrets: found } = configOf(t, { NODE_ENV: 'production', ...environment })
    t.equal(config.METRICS_PORT, 9464)
    t.ok(found.database)
    t.strictSame(
      Object.keys(environment).filter(name => /MNEMONIC$|DATABASE_URL$/.test(name)),
      []
    )
    t.strictSame(secrets.map(({ source }) => source).sort(), ['database-url', 'mnemonic'])
  }
})

test('with a key service, only the image and signer settings of the servers differ', async t => {
  const signing = check('compose', pathOf('compose.yaml'), pathOf('deploy/signers/compose.yaml'))
  const { services: changed } = signing as { services: Record<string, Service> }
  t.strictSame(Object.keys(changed), Object.keys(services))
  for (const [name, { environment = {}, ...server }] of servers) {
    const { environment: all = {}, ...other } = changed[name] ?? {}
    t.match(configOf(t, { NODE_ENV: 'production', ...all }).config, { SERVICE_SIGNER: /^arn:aws:kms:/ })
    t.match(all, environment)
    const image = { image: 'transaction-back-end-signer', build: other.build ?? {} }
    t.strictSame(other, { ...server, ...image })
    t.match(other.build, { context: pathOf('deploy/signers') })
  }
})

test('Prometheus scrapes every server and has the alert rules', async t => {
  const path = pathOf('deploy/ops/prometheus/prometheus.yml')
  t.match(execFileSync('promtool', ['check', 'config', path], { encoding: 'utf8' }), /1 rule files found/)
  const [, targets = ''] = /targets: \[(.*)\]/.exec(read('deploy/ops/prometheus/prometheus.yml')) ?? []
  t.strictSame(
    targets.split(', '),
    servers.map(([name, { environment }]) => `${name}:${environment?.['METRICS_PORT']}`)
  )
})
