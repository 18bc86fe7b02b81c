import { toFeeDay } from './rows.ts'
import { type StoreContext, sql } from './sql.ts'

/** See `SubmissionStore.feesPaidToday`. */
export async function feesPaidToday({ database, wallet }: StoreContext): Promise<bigint> {
  const ofWallet = sql`wallet_id = ${wallet}`
  const today = await database.get`SELECT day, amount FROM fee_day WHERE ${ofWallet}
    AND day = (SELECT cursor_time / 86400000 FROM wallet_state WHERE ${ofWallet})`
  return BigInt(today ? toFeeDay(today).amount : 0)
}
