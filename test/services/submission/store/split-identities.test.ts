import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createMessageTypes } from '../../../../services/messages/index.ts'
import { contentHash } from '../../../../services/submission/store/content-hash.ts'
import { createSqliteStore } from '../../../../services/submission/store/sqlite/index.ts'
import type { Identity } from '../../../../services/submission/types.ts'
import { leadingStore } from '../../../helpers/leading-store.ts'
import { olderDatabase } from '../../../helpers/older-database.ts'
import { type Test, test } from '../../../helpers/tap.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('acme')

function message(options: string, originChain = 'ETH') {
  const { typeUrl, encode, fromPartial } = requestTransaction
  return { typeUrl, message: encode(fromPartial({ originChain, options })).finish() }
}
const seed = '2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11'
const ofFee = (feeId: string) => message(JSON.stringify({ feeId, transactionIdSeed: 'of no rail' }))

/** What an earlier version stored: identity, status and content. */
const STORED: [id: string, identity: string | null, status: string, content: ReturnType<typeof message>][] = [
  ['by-fee', 'fee:f-1', 'committed', ofFee('f-1')],
  ['by-key', 'key:k-2', 'queued', ofFee('f-2')],
  ['twice', 'key:k-3', 'committed', ofFee('f-2')],
  [
    'card',
    'fee:f-4',
    'committed',
    message(JSON.stringify({ feeId: 'f-4', transactionIdSeed: seed }), 'FIAT')
  ],
  ['swap', 'key:k-5', 'queued', swapOf('f-5')],
  ['refused', 'fee:f-6', 'rejected', ofFee('f-6')],
  ['retried', null, 'rejected', ofFee('f-7')],
  ['odd', 'key:k-8', 'queued', message('no JSON')],
  ['broken', 'key:k-9', 'queued', { typeUrl: '/x.Y', message: new Uint8Array([0x0a, 0x7f]) }]
]

function swapOf(feeId: string) {
  const { typeUrl, encode, fromPartial } = requestSwapTransaction
  return { typeUrl, message: encode(fromPartial({ options: JSON.stringify({ feeId }) })).finish() }
}

async function olderStore(t: Test) {
  const directory = join(t.testdir(), 'data')
  mkdirSync(directory)
  const database = olderDatabase(directory)
  const insert = database.prepare(
    `INSERT INTO submission (submission_id, identity, content_hash, type_url, message, status, transaction_hash, height,
       gas_used, gas_wanted, events, error, created_at, updated_at)
     VALUES (:id, :identity, :hash, :typeUrl, :message, :status, 'HASH', 5, 1, 1, '[]',
       '{"code":1,"codespace":"x","message":"m"}', 1, 2)`
  )
  for (const [id, identity, status, { typeUrl, message }] of STORED) {
    const hash = contentHash(typeUrl, message)
    insert.run({ id, identity, status, hash, typeUrl, message: Buffer.from(message) })
  }
  database.close()
  const store = await leadingStore(createSqliteStore(directory))
  t.teardown(() => store.close())
  return store
}

test('a store of an earlier version keeps its submissions, in their order', async t => {
  const store = await olderStore(t)
  for (const [id, , status] of STORED) t.match(await store.find(id), { submissionId: id, status })
  t.match(
    (await store.queued(10)).map(({ submissionId }) => submissionId),
    ['by-key', 'swap', 'odd', 'broken']
  )
  await store.take([{ submissionId: 'new', identities: [{ kind: 'fee', value: 'new' }], ...ofFee('new') }])
  t.equal((await store.queued(10)).at(-1)?.submissionId, 'new')
})

test('what its submissions were known by, their feeIds and their payments are taken', async t => {
  const store = await olderStore(t)
  const isTaken = async (kind: Identity['kind'], value: string) =>
    (await store.join({ identities: [{ kind, value }], ...ofFee('another') }))?.status === 'conflict'
  for (const fee of ['f-1', 'f-2', 'f-4', 'f-5']) t.ok(await isTaken('fee', fee), fee)
  for (const key of ['k-2', 'k-3', 'k-5', 'k-8', 'k-9']) t.ok(await isTaken('key', key), key)
  t.ok(await isTaken('payment', seed))
  for (const fee of ['f-3', 'f-6', 'f-7']) t.notOk(await isTaken('fee', fee), fee)
  t.notOk(await isTaken('payment', 'of no rail'))
})

test('its settled submissions can be deleted, with their identities', async t => {
  const store = await olderStore(t)
  const cursor = { nextSequence: 7, cursorHeight: 100, cursorHash: 'A', probePassed: false }
  await store.putSigner({ address: 'service1wallet', chainId: 'chain-1', accountNumber: 1n, ...cursor })
  await store.applyBlocks([{ height: 101, hash: 'B', time: 1000, resolutions: [] }])
  t.ok((await store.forget(0, 100)) > 0)
  t.equal(await store.find('card'), undefined)
  t.equal(await store.join({ identities: [{ kind: 'payment', value: seed }], ...ofFee('x') }), undefined)
})
