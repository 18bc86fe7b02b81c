import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { test } from 'tap'
import type { BlockTransaction } from '../../../../services/chain-client/index.ts'
import { msgRequestResponse } from '../../../../services/messages/index.ts'
import { resolveSlots } from '../../../../services/submission/following/outcomes.ts'
import { createSlotTable } from '../../../../services/submission/state/slots.ts'
import type { Variant } from '../../../../services/submission/store/types.ts'

const ADDRESS = 'service1wallet'

function variant(change: Partial<Variant> = {}): Variant {
  const ids = { submissionIds: ['a', 'b', 'c'], attempts: 0 }
  return { hash: 'H', sequence: 7, bytes: new Uint8Array(), gasLimit: 1, feeAmount: 1n, ...ids, ...change }
}

function transaction(change: Partial<BlockTransaction> = {}): BlockTransaction {
  const events = [{ type: 'tx', attributes: [{ key: 'acc_seq', value: `${ADDRESS}/7` }] }]
  const outcome = { code: 0, codespace: '', log: '', data: new Uint8Array(), gasWanted: 9, gasUsed: 5 }
  return { hash: 'H', events, ...outcome, ...change }
}

function resolve(transactions: BlockTransaction[], variants = [variant()]) {
  const slots = createSlotTable()
  for (const each of variants) slots.add(each)
  return resolveSlots({ chainId: 'c', height: 3, hash: 'B', previousHash: 'A', transactions }, slots, ADDRESS)
}

function responses(...txIds: bigint[]): Uint8Array {
  const msgResponses = txIds.map(txId => ({
    typeUrl: '/x',
    value: msgRequestResponse.encode({ code: '200', msg: 'ok', txId }).finish()
  }))
  return TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish()
}

test('success: each message has its own response and events', async t => {
  const attributes = [
    { key: 'code', value: '42' },
    { key: 'content', value: 'no' }
  ]
  const refusal = { type: 'error', attributes }
  const log = JSON.stringify([
    { events: [] },
    { msg_index: 1, events: [refusal] },
    { msg_index: 2, events: [] }
  ])
  const [resolution] = resolve([transaction({ data: responses(11n, 0n, 13n), log })])
  t.match(resolution, {
    sequence: 7,
    origin: 'own',
    outcomes: [
      { submissionId: 'a', status: 'committed', txId: 11, gasUsed: 5, gasWanted: 9 },
      { submissionId: 'b', status: 'rejected', error: { code: 42, message: 'no' } },
      { submissionId: 'c', status: 'committed', txId: 13 }
    ]
  })
})

test('a failed message is the only culprit', async t => {
  const log = 'failed to execute message; message index: 1: nope: unauthorized'
  const [resolution] = resolve([transaction({ code: 4, codespace: 'sdk', log })])
  t.strictSame(resolution?.outcomes, [
    { submissionId: 'a', status: 'queued', suspicion: undefined },
    { submissionId: 'b', status: 'rejected', error: { code: 4, codespace: 'sdk', message: log } },
    { submissionId: 'c', status: 'queued', suspicion: undefined }
  ])
})

test('a wallet that the chain takes nothing of leaves everything to be tried again', async t => {
  const log = `failed to execute message; message index: 0: creator ${ADDRESS} is not whitelisted: unauthorized`
  const [resolution] = resolve([transaction({ code: 4, codespace: 'sdk', log })])
  t.strictSame(
    resolution?.outcomes,
    ['a', 'b', 'c'].map(submissionId => ({ submissionId, status: 'queued', suspicion: undefined }))
  )
})

test('a failure without a culprit is everybody’s, and after three times alone it is final', async t => {
  const failed = transaction({ code: 11, codespace: 'sdk', log: 'out of gas in location: x' })
  t.strictSame(
    resolve([failed])[0]?.outcomes.map(
      outcome => outcome.status === 'queued' && outcome.suspicion?.code === 11
    ),
    [true, true, true]
  )
  const alone = (attempts: number) =>
    resolve([failed], [variant({ submissionIds: ['a'], attempts })])[0]?.outcomes
  t.match(alone(1), [{ status: 'queued', suspicion: { code: 11 } }])
  t.match(alone(2), [{ status: 'rejected', error: { code: 11 } }])
})

test('a transaction that failed before its messages consumed nothing', async t => {
  t.strictSame(resolve([transaction({ code: 32, codespace: 'sdk', events: [] })]), [])
})

test('a foreign transaction gives everything in the slot back', async t => {
  const variants = [variant(), variant({ hash: 'H2', submissionIds: ['a', 'd'] })]
  t.strictSame(resolve([transaction({ hash: 'FOREIGN' })], variants), [
    {
      sequence: 7,
      transactionHash: 'FOREIGN',
      origin: 'foreign',
      outcomes: ['a', 'b', 'c', 'd'].map(submissionId => ({
        submissionId,
        status: 'queued',
        suspicion: undefined
      }))
    }
  ])
})

test('what another variant of the slot held goes back to the queue', async t => {
  const variants = [variant(), variant({ hash: 'H2', submissionIds: ['a'] })]
  const [resolution] = resolve([transaction({ hash: 'H2', data: responses(11n) })], variants)
  t.match(resolution?.outcomes, [
    { submissionId: 'a', status: 'committed' },
    { submissionId: 'b', status: 'queued', suspicion: undefined },
    { submissionId: 'c', status: 'queued', suspicion: undefined }
  ])
})

test('transactions of other wallets are nobody’s business', async t => {
  const events = [{ type: 'tx', attributes: [{ key: 'acc_seq', value: 'service1walletother/7' }] }]
  t.strictSame(resolve([transaction({ hash: 'X', events })]), [])
})
