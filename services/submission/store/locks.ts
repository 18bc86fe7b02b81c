import { Type } from '@sinclair/typebox'
import type { BitcoinLockStore } from '../contract.ts'
import { Count, FromOne, mapper, Text, Time } from './rows.ts'
import { insertInto, readOne, type StoreContext, sql } from './sql.ts'

/** The maximum number of intents to keep (interface 26.5). One takes about half a kilobyte. */
const MAX_LOCKS = { ofClient: 1000, ofWallet: 100_000 }

const toLock = mapper('btc_lock', 'lock_id', {
  lockId: Text,
  caller: Type.Optional(Text),
  address: Text,
  expiresAt: Time,
  terms: Type.Object({
    senderAddress: Text,
    senderPubkey: Text,
    recipientAddress: Text,
    poolAddress: Text,
    amountSats: FromOne,
    outputScript: Text
  }),
  outpoint: Type.Optional(Text)
})

const toCounts = mapper('btc_lock', '', { ofClient: Count, ofWallet: Count })

/** Creates the functions for lock intents. Each wallet has its own. */
export function createLocks({ database, wallet, now }: StoreContext): BitcoinLockStore {
  const ofWallet = sql`FROM btc_lock WHERE wallet_id = ${wallet}`

  return {
    putLock: ({ terms, ...lock }) =>
      database.transaction(async ({ get, run }) => {
        const counts = toCounts(
          await get`SELECT (SELECT count(*) ${ofWallet} AND client = ${lock.client}) AS of_client,
            (SELECT count(*) ${ofWallet}) AS of_wallet`
        )
        if (counts.ofClient >= MAX_LOCKS.ofClient) return 'client-full'
        if (counts.ofWallet >= MAX_LOCKS.ofWallet) return 'full'
        const row = { ...lock, terms }
        const stored = await run(insertInto('btc_lock', wallet, [row], sql`ON CONFLICT (address) DO NOTHING`))
        return stored === 1 ? 'stored' : 'taken'
      }),

    findLock: lockId =>
      readOne(database.get`SELECT * ${ofWallet} AND lock_id = ${lockId} AND expires_at > ${now()}`, toLock),

    async recordLock(lockId, outpoint, before) {
      const changed = await database.run`UPDATE btc_lock SET outpoint = ${outpoint}
        WHERE wallet_id = ${wallet} AND lock_id = ${lockId}
          AND coalesce(outpoint, '') IN (${before ?? ''}, ${outpoint})`
      return changed === 1
    },

    forgetLocks: limit =>
      database.run`DELETE FROM btc_lock WHERE wallet_id = ${wallet} AND lock_id IN
        (SELECT lock_id ${ofWallet} AND expires_at <= ${now()} LIMIT ${limit})`
  }
}
