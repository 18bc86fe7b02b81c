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

const find = (status: string) => (store: LeadingStore) => store.find(`id-${status}`)
const queued = (store: LeadingStore) => store.queued(9)
const openSignedTxs = (store: LeadingStore) => store.openSignedTxs()
const walletState = (store: LeadingStore) => store.walletState()

/** Applies a block with fees, and returns those paid. */
async function paidFees(store: LeadingStore): Promise<bigint> {
  const next = block(102, consumed(8, [committed('id-broadcast')]))
  await store.applyBlock(next).catch(cause => {
    throw new Error('the block is not applied', { cause })
  })
  return store.feesPaidToday()
}

const SIGNED = `signed_tx ${hashOf(8)}`
const WALLET = 'wallet_state service1wallet'
const BAD_ERROR = `'{"code":"5","codespace":"sdk","message":"${SECRET}"}'`

/** The row, the read that fails, the column, its value, and the reported column if that is another one. */
const DAMAGES: [string, (store: LeadingStore) => Promise<unknown>, string, string, string?][] = [
  ['submission id-broadcast', find('broadcast'), 'transaction_hash', 'NULL'],
  ['submission id-committed', find('committed'), 'transaction_hash', "''"],
  ['submission id-committed', find('committed'), 'height', '0'],
  ['submission id-committed', find('committed'), 'tx_id', '0'],
  ['submission id-committed', find('committed'), 'gas_used', '-1'],
  ['submission id-committed', find('committed'), 'events', `'[{"type":"${SECRET}"}]'`],
  ['submission id-committed', find('committed'), 'created_at', '9000000000000000'],
  ['submission id-rejected', find('rejected'), 'error', BAD_ERROR],
  ['submission id-queued', find('queued'), 'updated_at', '-1'],
  ['submission id-queued', queued, 'type_url', "''"],
  ['submission id-queued', queued, 'type_url', "'/example.msg'", 'message'],
  [SIGNED, openSignedTxs, 'submission_ids', "'[1]'"],
  [SIGNED, openSignedTxs, 'submission_ids', `'["id-broadcast","id-queued"]'`],
  [SIGNED, openSignedTxs, 'submission_ids', "'x'"],
  [SIGNED, openSignedTxs, 'fee_amount', "'1.5'"],
  [SIGNED, openSignedTxs, 'gas_limit', '-1'],
  ['fee_day 0', paidFees, 'amount', "'1.5'"],
  [WALLET, walletState, 'account_number', "''"],
  [WALLET, walletState, 'next_sequence', '-1'],
  [WALLET, walletState, 'cursor_hash', "''"]
]

for (const [engine, kind] of Object.entries(await durableStores())) {
  test(`${engine}: reports the row and column of damage, and returns other submissions`, async t => {
    for (const [row, read, column, value, reported = column] of DAMAGES) {
      const [table, key] = row.split(' ')
      const where = table === 'submission' ? `WHERE submission_id = '${key}'` : ''
      const store = await damagedStore(t, kind, `UPDATE ${table} SET ${column} = ${value} ${where}`)
      const error = await read(store).catch(caught => caught)
      const reason = `StoreCorruptError: stored ${row} is damaged: column ${reported}`
      t.equal(String(error), reason, `${column} = ${value}`)
      if (table === 'submission')
        for (const status of STATUSES.filter(status => key !== `id-${status}`))
          t.match(await store.find(`id-${status}`), { status })
      await store.close()
    }
  })
}
