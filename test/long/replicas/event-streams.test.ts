import { decided, send } from '../../faults/transfers.ts'
import { openEvents } from '../../helpers/event-stream.ts'
import { test } from '../../helpers/tap.ts'
import { replicaSite, untilReady } from './replicas.ts'

test('every replica streams the states of a submission, regardless of which replica accepted or executed it', async t => {
  const { network, start } = await replicaSite(t, { network: { control: true } })
  const replicas = await Promise.all([start(), start()])
  await untilReady(replicas)
  network.control.pause()
  for (const [index, { url, saw }] of replicas.entries()) {
    const result = send(url, `fee-${index}`)
    const [, submissionId] = await saw(/"submissionId":"([^"]+)"[^\n]*"outcome":"created"/)
    const streams = await Promise.all(
      replicas.map(replica => openEvents(`${replica.url}/submissions/${submissionId}/events`))
    )
    for (const stream of streams) await stream.first(1)
    network.control.resume()
    const [last, other] = (await Promise.all(streams.map(({ ended }) => ended))).map(events => events.at(-1))
    t.match(last?.data, { submissionId, status: 'committed' })
    t.strictSame(other, last)
    t.equal((await decided(replicas[0].url, await result)).status, 'committed')
    network.control.pause()
  }
})
