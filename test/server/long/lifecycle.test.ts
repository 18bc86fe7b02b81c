import { once } from 'node:events'
import { createServer } from 'node:net'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { spawnServer, startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'

test('the server process', async t => {
  const devnet = await startNetwork(t)

  t.test('exits with code 1 on an uncaught error', async t => {
    const crashOnSignal = `process.on('SIGWINCH', () => { throw new Error('out of nowhere') })`
    const server = await startServer(t, {
      ...testEnv(t, devnet),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crashOnSignal)}`
    })
    t.equal(await server.stop('SIGWINCH'), 1)
    t.match(server.output, /out of nowhere/)
  })

  t.test('exits with code 1 and logs EADDRINUSE if its port is in use', async t => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.teardown(() => other.close())
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const taken = await spawnServer(t, testEnv(t, devnet, { PORT: String(port) }))
    t.equal(await taken.exited, 1)
    t.match(taken.output, /"level":60.*EADDRINUSE.*startup failed/)
  })
})
