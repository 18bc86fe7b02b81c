import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { startPostgres } from '../../helpers/postgres.ts'
import { answersOf, sending, trickle } from '../../helpers/raw-connection.ts'
import { builtServer, spawnServer, startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { proxyFor } from '../../services/submission/store/postgres/proxy.ts'

const host = 'host: service.example\r\n'
const json = 'content-type: application/json\r\n'

const submission = (feeId: string) => {
  const body = submitBody(feeId)
  return `POST /submit HTTP/1.1\r\n${host}${json}content-length: ${body.length}\r\n\r\n${body}`
}

/** Runs a command as the first process of a namespace, which ignores signals without a listener. */
const AS_PROCESS_1 = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const hasNamespaces = spawnSync('unshare', [...AS_PROCESS_1.slice(1), 'true']).status === 0

test('stopping the server', async t => {
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { LOG_LEVEL: 'debug', SERVICE_SUBMIT_TIMEOUT: '600000' })

  t.test('exits with code 0 despite stalled clients; a restart continues its submissions', async t => {
    const server = await startServer(t, env)
    await server.saw(/"msg":"engine ready"/)
    const port = Number(new URL(server.url).port)
    const health = `GET /health HTTP/1.1\r\n${host}\r\n`
    const sockets = [
      sending(port, ''),
      sending(port, 'POST /sub'),
      sending(port, `POST /submit HTTP/1.1\r\n${host}`),
      sending(port, `POST /submit HTTP/1.1\r\n${host}${json}content-length: 1000\r\n\r\n{`),
      sending(port, `POST /submit HTTP/1.1\r\n${host}${json}transfer-encoding: chunked\r\n\r\nff\r\n{`),
      sending(port, health),
      sending(port, `GET /chains HTTP/1.1\r\n${host}\r\n`.repeat(16)).pause()
    ]
    const trickling = sending(port, `POST /kyc HTTP/1.1\r\n${host}${json}content-length: 1000\r\n\r\n{`)
    const trickled = trickle(trickling, 200)
    devnet.chain.pause()
    const waiting = answersOf(sending(port, submission('waits')))
    const arrived = () => server.output.match(/incoming request/g) ?? []
    await until(() => arrived().length > 5, 'the requests have arrived')
    await until(() => /"msg":"[^"]*accepted/.test(server.output), 'the submission is accepted')

    t.equal(await server.stop(), 0)
    const [response] = await waiting
    t.equal(response?.status, 202, 'a client waiting for a block gets a 202')
    await trickled
    for (const socket of sockets) socket.destroy()

    devnet.chain.resume()
    const { submissionId } = JSON.parse(response?.body ?? '')
    const next = await startServer(t, env)
    const state = async () => (await fetch(`${next.url}/submissions/${submissionId}`)).text()
    await until(async () => (await state()).includes('"committed"'), 'the submission is on the chain')
    t.equal(await next.stop('SIGINT'), 0)
  })

  t.test('exits in time, with 202 for a waiting client, if the database stops responding', async t => {
    const postgres = await startPostgres(t)
    const proxy = await proxyFor(t, await postgres.createDatabase())
    const server = await startServer(t, { ...env, DATABASE_URL: proxy.url })
    await server.saw(/"msg":"engine ready"/)
    devnet.chain.pause()
    t.teardown(() => devnet.chain.resume())
    const waiting = patientPost(`${server.url}/submit`, submitBody('silent'))
    await server.saw(/"msg":"[^"]*accepted/)
    // In the middle of the 10 seconds in which it waits for results (interface 7.13).
    setTimeout(() => proxy.silence(true), 9000)
    t.equal(await server.stop(), 0, 'exits normally, not by the shutdown timeout')
    t.equal((await waiting).status, 202)
  })

  t.test('exits with code 0 on a signal while it waits for its database at startup', async t => {
    const server = await spawnServer(t, { ...env, DATABASE_URL: 'postgres://user@127.0.0.1:1/nowhere' })
    await server.saw(/waiting for the database/)
    t.equal(await server.stop(), 0)
    t.notMatch(server.output, /stopping/, 'exits without waiting any longer')
  })

  t.test(
    'exits with code 0 on a signal early in startup, even as process 1',
    { skip: !hasNamespaces },
    async t => {
      await builtServer()
      const server = await spawnServer(t, env, undefined, AS_PROCESS_1)
      // `unshare` itself ignores the signal.
      const path = `/proc/${server.pid}/task/${server.pid}/children`
      const child = await until(() => Number(readFileSync(path, 'utf8')) || undefined, 'the process exists')
      // It ignores those before its first line of code. A second one during a graceful stop would end it with code 1.
      const sending = setInterval(() => {
        try {
          process.kill(child, 'SIGTERM')
        } catch {
          // It has exited.
        }
      }, 10)
      t.teardown(() => clearInterval(sending))
      t.equal(await server.exited, 0)
      t.notMatch(server.output, /stopping|listening/)
    }
  )

  t.test('exits immediately with code 1 on a second signal', async t => {
    const server = await startServer(t, env)
    const port = Number(new URL(server.url).port)
    const stalled = sending(port, `POST /submit HTTP/1.1\r\n${host}${json}content-length: 1000\r\n\r\n{`)
    t.teardown(() => stalled.destroy())
    await server.saw(/incoming request/)
    server.kill('SIGTERM')
    await server.saw(/stopping/)
    t.equal(await server.stop(), 1)
    t.match(server.output, /second SIGTERM/)
  })
})
