import { startNetwork } from '../helpers/app.ts'
import { eachStore } from '../helpers/durable-stores.ts'
import { startEngine, transferRequest } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { ROUTE } from '../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { AWAY_WEBHOOK } from '../helpers/webhook-receiver.ts'
import { storeWithOpenSlots } from './open-slots.ts'

await eachStore('a cancelled submission is never executed, and frees its identity', async (t, place) => {
  const devnet = await startNetwork(t)
  const { development } = devnet.addresses
  const settings = { dailyFeeLimit: 1n }
  const { engine, store, stop } = await startEngine(t, devnet, { open: place.open, settings })
  const request = transferRequest('unwanted', { creator: development })
  const card = { originChain: 'FIAT', originAddress: '', creator: development }
  const paid = (feeId: string, change: object = {}) => {
    const options = JSON.stringify({ feeId, transactionIdSeed: 'seed' })
    return transferRequest(feeId, { ...card, options, ...change })
  }
  await store.take([{ ...request, submissionId: 'id-unwanted' }])
  await store.take([{ ...paid('paid'), submissionId: 'id-paid' }])
  const { height = 0 } = engine.health()
  await until(() => (engine.health().height ?? 0) > height, 'the store follows the chain')
  const waiting = engine.settled('id-unwanted', PATIENCE_MS)
  const tool = operatorTool(t, devnet, { ...place.env, ...AWAY_WEBHOOK })
  t.strictSame(await tool('cancel', 'id-unwanted'), { code: 0, out: 'Cancelled id-unwanted.\n', err: '' })
  t.match(await tool('cancel', 'id-paid', '--json'), { code: 0, out: /^{"submissionId":"id-paid"/ })
  const message = 'cancelled by the operator before it was executed'
  const cancelled = { status: 'rejected', error: { code: 1, codespace: 'operator', message } }
  t.match(await waiting, cancelled, 'its client is told')
  const events = [{ eventId: 'msg_id-unwanted_rejected', state: 'pending' }]
  const shown = (await tool('show', 'id-unwanted', '--json')).out
  t.match(JSON.parse(shown), { ...cancelled, events })
  for (const [id, err] of [
    ['id-paid', 'id-paid is rejected, and only queued submissions can be cancelled\n'],
    ['feeId-of-it', 'there is no submission feeId-of-it: find X prints the submissionId of a payment\n']
  ] as const)
    t.strictSame(await tool('cancel', id), { code: 1, out: '', err })
  await stop()

  const next = await startEngine(t, devnet, { open: place.open })
  const again = await until(() => next.submit('unwanted').catch(() => undefined), 'it has caught up')
  t.not(again.submissionId, 'id-unwanted')
  const submission = await next.engine.settled(again.submissionId, PATIENCE_MS)
  assertExactlyOnce(t, readChain(devnet, development), [{ feeId: 'unwanted', submission }])

  const targetAddress = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
  await t.rejects(next.engine.submit(paid('stranger', { targetAddress })), { code: 'PAYMENT_ALREADY_USED' })
  const sameTarget = { targetAddress: ROUTE.targetAddress.toLowerCase() }
  const { submissionId } = await next.engine.submit(paid('another quote', sameTarget))
  t.match(await next.engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
})

await eachStore('does not cancel a submission in a slot or in an outdated store', async (t, place) => {
  const { devnet, ids } = await storeWithOpenSlots(t, place)
  const tool = operatorTool(t, devnet, place.env)
  const err = `${ids.open} is broadcast, and only queued submissions can be cancelled\n`
  t.strictSame(await tool('cancel', ids.open), { code: 1, out: '', err })
  await place.execute('UPDATE wallet_state SET cursor_time = cursor_time - 61000')
  t.match(await tool('cancel', ids.queued), { code: 1, err: /^the store does not follow the chain/ })
})

await eachStore('a submission is cancelled or signed, whichever comes first', async (t, place) => {
  const devnet = await startNetwork(t)
  const { engine, submit, address } = await startEngine(t, devnet, { open: place.open })
  await until(() => engine.health().height !== undefined, 'the server leads')
  const tool = operatorTool(t, devnet, place.env)
  const accepted = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const feeId = `fee-${number}`
      const { submissionId } = await submit(feeId)
      const { code } = await tool('cancel', submissionId)
      const submission = await engine.settled(submissionId, PATIENCE_MS)
      t.equal(submission.status, code === 0 ? 'rejected' : 'committed')
      return { feeId, submission }
    })
  )
  assertExactlyOnce(t, readChain(devnet, address), accepted)
})
