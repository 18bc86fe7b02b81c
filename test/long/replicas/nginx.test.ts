import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { build, temporaryFolder } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { startProcess } from '../../helpers/process.ts'
import { read } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

test('compose.yaml’s balancer retries at another server and forwards client addresses', async t => {
  const limit = 5
  const server = await build(t, { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_MAX: `${limit}` })
  const { host } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const gone = `127.0.0.1:${await freePort('127.0.0.1')}`
  const servers = [gone, host].map(server => `server ${server} max_fails=0;`)
  const balancer = read('deploy/nginx.conf.template')
    .replace(/\${SERVERS}/, servers.join(' '))
    .replace(/\${BALANCER_PORT}/, `127.0.0.1:${port}`)
  const folder = temporaryFolder(t)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder};`
  )
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error; events {}`
  const conf = join(folder, 'nginx.conf')
  writeFileSync(conf, `${main} http { ${paths.join(' ')}\n${balancer} }`)
  startProcess(t, 'nginx', ['-e', `${folder}/error`, '-c', conf])
  const health = () => fetch(`${url}/health`).catch(() => undefined)
  await until(async () => (await health())?.ok, 'nginx answers')
  for (const submission of ['fee-1', 'fee-2'])
    t.equal((await patientPost(`${url}/submit`, submitBody(submission))).status, 200, 'no request fails')
  t.equal((await fetch(`${url}/metrics`)).status, 404)
  const forged = { headers: { 'x-forwarded-for': '192.0.2.4' } }
  const statuses = []
  for (let count = 0; count < limit; count += 1)
    statuses.push((await fetch(`${url}/compliant/enabled`, forged)).status)
  t.ok(statuses.includes(429), 'a client cannot forge its address')
})
