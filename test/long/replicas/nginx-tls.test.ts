import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { build, temporaryFolder } from '../../helpers/app.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { startProcess } from '../../helpers/process.ts'
import { read } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

test('the nginx example terminates TLS in front of a server', async t => {
  const server = await build(t, { TRUST_PROXY: '1' })
  const { host } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const folder = temporaryFolder(t)
  const [plain, port] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
  const subject = ['-subj', '/CN=pay.shop.example', '-addext', 'subjectAltName=DNS:pay.shop.example']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'fullchain.pem')]
  const selfSigned = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync('openssl', [...selfSigned, ...files, ...subject], { stdio: 'ignore' })
  const example = read('deploy/nginx-tls.conf')
    .replaceAll('/etc/ssl/pay.shop.example', folder)
    .replaceAll('127.0.0.1:3001', host)
    .replace(/^ *listen \[.*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
  const conf = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder};`
  )
  writeFileSync(
    conf,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error; events {} http { ${paths.join(' ')}\n${example} }`
  )
  startProcess(t, 'nginx', ['-e', `${folder}/error`, '-c', conf])

  const ask = async (path: string) => {
    const tls = { ca: readFileSync(join(folder, 'fullchain.pem')), servername: 'pay.shop.example' }
    const sent = request({ host: '127.0.0.1', port, path, agent: false, ...tls }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, body: await text(response) }
  }
  await until(
    () =>
      ask('/health')
        .then(({ body }) => body === 'ok')
        .catch(() => false),
    'nginx answers'
  )
  t.match(await ask('/metrics'), { status: 404 })
  const redirect = await patientFetch(`http://127.0.0.1:${plain}/chains?x=1`, { redirect: 'manual' })
  t.equal(redirect.status, 308)
  t.match(redirect.headers.get('location'), /^https:\/\/.*\/chains\?x=1$/)
})
