import type { SubmissionOutcome } from '../../../../../services/submission/contract.ts'
import { durableStores, type StoreKind } from '../../../../helpers/durable-stores.ts'
import { type LeadingStore, leadingStore } from '../../../../helpers/leading-store.ts'
import {
  block,
  committed,
  consumed,
  hashOf,
  request as requestFor,
  signed,
  WALLET_STATE
} from '../../../../helpers/store-data.ts'
import { type Test, test } from '../../../../helpers/tap.ts'

const SECRET = 'what-a-user-wrote'
const refusal = { code: 5, codespace: 'sdk', message: SECRET }
const events = [{ type: 'x', attributes: [{ key: 'k', value: SECRET }] }]

const request = (name: string) => requestFor(name, SECRET)

const STATUSES = ['committed', 'rejected', 'broadcast', 'queued']

/** Creates a store with one submission of each status, then runs `sql` to damage it. */
async function damagedStore(t: Test, kind: StoreKind, sql: string): Promise<LeadingStore> {
  const place = await kind.newPlace(t)
  const store = await leadingStore(await place.open(WALLET_STATE.address))
  await store.putWalletState(WALLET_STATE)
  await store.take(STATUSES.map(request))
  await store.openSlot(signed(7, ['id-committed', 'id-rejected']))
  await store.openSlot(signed(8, ['id-broadcast']))
  const outcomes: SubmissionOutcome[] = [
    { ...committed('id-committed', 1), events },
    { submissionId: 'id-rejected', status: 'rejected', error: refusal }
  ]
  await store.applyBlock(block(101, consumed(7, outcomes)))
  await store.close()

  await place.execute(sql)
  const damaged = await leadingStore(await place.open(WALLET_STATE.address))
  t.teardown(() => damaged.close())
  return damaged
}

/** Damages of settled and queued submissions: the status, the column and the value. */
const submissions: [status: string, column: string, value: string][] = [
  ['broadcast', 'transaction_hash', 'NULL'],
  ['committed', 'transaction_hash', "''"],
  ['committed', 'height', '0'],
  ['committed', 'tx_id', '0'],
  ['committed', 'gas_used', '-1'],
  ['committed', 'events', `'[{"type":"${SECRET}"}]'`],
  ['committed', 'created_at', '9000000000000000'],
  ['rejected', 'error', `'{"code":"5","codespace":"sdk","message":"${SECRET}"}'`],
  ['queued', 'updated_at', '-1']
]

/** Checks that a block with fees is still applied. */
async function readFees(store: LeadingStore): Promise<bigint> {
  const next = block(102, consumed(8, [committed('id-broadcast')]))
  await store.applyBlock(next).catch(cause => {
    throw new Error('the block is not applied', { cause })
  })
  return store.feesPaidToday()
}

/** Other reads: the row, the function that reads it, and for each damage its column, the value and the reported column. */
const reads: [
  row: string,
  read: (store: LeadingStore) => Promise<unknown>,
  ...damages: [column: string, value: string, reported?: string][]
][] = [
  [
    'submission id-queued',
    store => store.queued(9),
    ['type_url', "''"],
    ['type_url', "'/example.msg'", 'message']
  ],
  [
    `signed_tx ${hashOf(8)}`,
    store => store.openSignedTxs(),
    ['submission_ids', "'[1]'"],
    ['submission_ids', `'["id-broadcast","id-queued"]'`],
    ['submission_ids', "'x'"],
    ['fee_amount', "'1.5'"],
    ['gas_limit', '-1']
  ],
  ['fee_day 0', readFees, ['amount', "'1.5'"]],
  [
    'wallet_state service1wallet',
    store => store.walletState(),
    ['account_number', "''"],
    ['next_sequence', '-1'],
    ['cursor_hash', "''"]
  ]
]

for (const [engine, kind] of Object.entries(await durableStores())) {
  test(`${engine}: reports the row and column of a damaged submission, and returns the others`, async t => {
    for (const [status, column, value] of submissions) {
      const sql = `UPDATE submission SET ${column} = ${value} WHERE status = '${status}'`
      const store = await damagedStore(t, kind, sql)
      const error = await store.find(`id-${status}`).catch(caught => caught)
      t.match(error, { name: 'StoreCorruptError' }, `${column} = ${value}`)
      t.equal(error.message, `stored submission id-${status} is damaged: column ${column}`)
      for (const other of STATUSES.filter(other => other !== status))
        t.match(await store.find(`id-${other}`), { status: other })
      await store.close()
    }
  })

  for (const [row, read, ...damages] of reads) {
    test(`${engine}: reports the row and column of a damaged ${row.split(' ')[0]}`, async t => {
      for (const [column, value, reported = column] of damages) {
        const store = await damagedStore(t, kind, `UPDATE ${row.split(' ')[0]} SET ${column} = ${value}`)
        const message = `stored ${row} is damaged: column ${reported}`
        t.match(await read(store).catch(caught => caught), { name: 'StoreCorruptError', message })
        await store.close()
      }
    })
  }
}
