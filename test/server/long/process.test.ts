import { freePort } from '../../../packages/devnet/free-port.ts'
import { version } from '../../../services/version.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { builtServer, spawnServer, startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

test('the server process', async t => {
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet)

  t.test('prints its usage or version, and rejects other arguments without quoting them', async t => {
    const refused = { code: 2, stdout: '', stderr: 'unknown arguments (--help lists the options)\n' }
    for (const [args, expected] of [
      [['--help'], { code: 0, stdout: /^Usage: transaction-back-end /, stderr: '' }],
      [['--version'], { code: 0, stdout: `${version}\n`, stderr: '' }],
      [['--prot=80'], refused],
      [['--version', 'zebra'], refused]
    ] as const) {
      // With this complete configuration, a server that ignored its arguments would start and not exit.
      const server = await spawnServer(t, env, [await builtServer(), ...args])
      const code = await server.exited
      t.match({ code, stdout: server.stdout, stderr: server.stderr }, expected, args.join(' '))
    }
  })

  t.test('exits with code 1 on an uncaught error', async t => {
    const crashOnSignal = `process.on('SIGWINCH', () => { throw new Error('out of nowhere') })`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(crashOnSignal)}`
    const server = await startServer(t, { ...testEnv(t, devnet), NODE_OPTIONS })
    t.equal(await server.stop('SIGWINCH'), 1)
    t.match(server.output, /out of nowhere/)
  })

  t.test('runs while its log cannot be written', async t => {
    const PORT = String(await freePort('127.0.0.1'))
    const toFullDisk = ['sh', '-c', 'exec "$@" > /dev/full', 'sh']
    const logging = testEnv(t, devnet, { PORT, LOG_LEVEL: 'info' })
    const server = await spawnServer(t, logging, undefined, toFullDisk)
    const running = async () => (await fetch(`http://127.0.0.1:${PORT}/ready`).catch(() => undefined))?.ok
    await until(running, 'the server is ready')
    for (let requests = 0; requests < 20; requests++) await fetch(`http://127.0.0.1:${PORT}/chains`)
    t.equal(await running(), true)
    t.equal(await server.stop(), 0)
  })

  t.test('exits with code 1 and logs EADDRINUSE if a port is in use', async t => {
    const { port } = new URL(devnet.urls.rpc)
    for (const change of [{ PORT: port }, { METRICS_PORT: port }]) {
      const taken = await spawnServer(t, testEnv(t, devnet, change))
      t.equal(await taken.exited, 1)
      t.match(taken.output, /"level":60.*EADDRINUSE.*startup failed/)
    }
  })

  t.test('METRICS_PORT serves only /metrics, and PORT serves everything else', async t => {
    const server = await startServer(t, testEnv(t, devnet, { METRICS_PORT: '0' }))
    const [, port] = await server.saw(/"port":(\d+)\},"msg":"metrics server listening"/)
    const own = `http://127.0.0.1:${port}`
    const response = await fetch(`${own}/metrics`)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
    t.match(await response.text(), /^service_ready [01]$/m)
    t.equal((await fetch(`${own}/health`)).status, 404)
    t.equal((await fetch(`${own}/metrics`, { method: 'POST', body: '{' })).status, 404)
    t.equal((await patientFetch(`${server.url}/metrics`)).status, 404)
    t.equal((await fetch(`${server.url}/health`)).status, 200)
    t.equal(await server.stop(), 0, 'an open connection to METRICS_PORT does not delay the stop')
  })
})
