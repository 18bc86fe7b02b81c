import { specialTargets } from '../../../packages/devnet/modules/transfer/special-addresses.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { submit, swapBody, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'

type Event = { type: string; attributes: { key: string; value: string }[] }

/** Returns the values of the attributes named `keys` in all events that contain a transaction id. */
const valuesOf = (events: Event[], ...keys: string[]) =>
  events
    .filter(({ type }) => /^(swap_)?transaction_requested$/.test(type))
    .flatMap(({ attributes }) => attributes.filter(({ key }) => keys.includes(key)).map(({ value }) => value))

const swapAmount = '100500000'

for (const sdk of ['0.47', '0.50'] as const) {
  test(`SDK ${sdk}: each of 26 submissions in one transaction gets its own result`, async t => {
    const devnet = await startNetwork(t, { control: true, sdk })
    const server = await build(t, { SERVICE_SUBMIT_TIMEOUT: '600000' }, { devnet })
    const send = async (body: object, path = '/submit') => {
      const response = await submit(server, body, { path })
      return { body, status: response.statusCode, answer: response.json() }
    }
    // While the wallet's second transaction waits for a place in the mempool, new submissions share the third one.
    devnet.control.pause()
    devnet.control.setMempoolSize(1)
    const first = send(await transferBody(server))
    await until(() => devnet.chain.mempool.size === 1, 'the first transaction waits for its block')
    const unsettled = (number: number) =>
      until(() => server.submissions.health().unsettled === number, `${number} submissions are accepted`)
    const second = send(await transferBody(server))
    await until(
      () => server.submissions.health().openSlots === 2,
      'the second submission is in a transaction'
    )

    // Send them one after the other: a server on a slow machine would reject some of a burst.
    const targetAddress = specialTargets.refusedByEvent
    const refused = send(await transferBody(server, { targetAddress }))
    await unsettled(3)
    const shared: ReturnType<typeof send>[] = [send(swapBody({ amountIn: swapAmount }), '/submit/swap')]
    await unsettled(4)
    while (shared.length < 25) {
      shared.push(send(await transferBody(server, { amount: `${shared.length}.5` })))
      await unsettled(3 + shared.length)
    }
    devnet.control.setMempoolSize(5000)
    devnet.control.resume()

    t.match(await refused, { status: 400, answer: { code: 'CHAIN_REJECTED' } })
    t.match(await Promise.all([first, second]), [{ status: 200 }, { status: 200 }])
    const results = await Promise.all(shared)
    t.equal(
      new Set(results.map(({ answer }) => answer.transactionHash)).size,
      1,
      'they share one transaction'
    )
    t.equal(new Set(results.map(({ answer }) => answer.txId)).size, 25, 'each has its own transaction id')
    t.strictSame(
      results.map(({ status, answer: { events } }) => ({
        status,
        txIds: valuesOf(events, 'txId'),
        amounts: valuesOf(events, 'amount', 'amountIn').map(Number)
      })),
      results.map(({ body, answer }) => ({
        status: 200,
        txIds: [String(answer.txId)],
        amounts: [Number('amount' in body && body.amount ? body.amount : swapAmount) / 1e6]
      })),
      'each response’s events contain the id and amount of its own message'
    )
  })
}
