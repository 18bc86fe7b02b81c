import { once } from 'node:events'
import { mock } from 'node:test'
import { build, startNetwork } from '../helpers/app.ts'
import { closed, sending } from '../helpers/raw-connection.ts'
import { test } from '../helpers/tap.ts'
import { cardBody, submit } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: service.example\r\n\r\n`

test('a connection without a request is closed, whatever its client sends to keep it', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const app = await build(t)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const firsts = {
    'no request': '',
    'one that is answered at once': get('/health'),
    'one that is answered later': get('/chains'),
    'one for no route': get('/nowhere')
  }
  for (const [what, bytes] of Object.entries(firsts)) {
    t.test(what, async t => {
      const socket = sending(Number(port), bytes)
      t.teardown(() => socket.destroy())
      if (bytes === '') await once(app.server, 'connection')
      else await once(socket, 'data')
      mock.timers.tick(90_000)
      socket.write('\r\n')
      // The others are still served.
      await new Promise(resolve => app.server.getConnections(resolve))
      t.notOk(socket.destroyed, 'after 90 seconds')
      const end = closed(socket.resume())
      mock.timers.tick(90_000)
      await end
    })
  }
})

test('a connection with an open stream of events is kept, and gets heart-beats', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const devnet = await startNetwork(t)
  const app = await build(t, { SERVICE_SUBMIT_TIMEOUT: '1' }, { devnet })
  devnet.chain.pause()
  const { submissionId } = (await submit(app, cardBody())).json()
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = sending(Number(port), get(`/submissions/${submissionId}/events`))
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  await until(() => text.includes('event: state'), 'the stream')
  for (const minutes of [1.5, 3, 4.5, 6]) {
    mock.timers.tick(90_000)
    await until(() => [...text.matchAll(/^:$/gm)].length >= 4 * minutes, 'heart-beats')
  }
  t.notOk(socket.destroyed)
  devnet.chain.resume()
  await until(() => text.includes('"status":"committed"') && text.endsWith('0\r\n\r\n'), 'its end')
  const end = closed(socket)
  mock.timers.tick(90_000)
  mock.timers.tick(90_000)
  await end
})
