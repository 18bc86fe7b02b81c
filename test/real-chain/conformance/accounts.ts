import { toBech32 } from '@cosmjs/encoding'
import { DENOM, openAccount } from '../../devnet/transactions.ts'

/** Each part of the test has its own account, with a known sequence. */
export const accounts = {
  development: await openAccount(0),
  // The other public wallet is account 1.
  transactions: await openAccount(2),
  refusals: await openAccount(3),
  simulations: await openAccount(4),
  stranger: await openAccount(5),
  mempool: await openAccount(6),
  penniless: await openAccount(7)
}

const { development: _, ...own } = accounts

/** The genesis accounts and their coins, except the public wallets. */
export const GENESIS_ACCOUNTS = Object.entries(own).map(([name, { address }]) => ({
  address,
  coins: name === 'penniless' ? `5${DENOM}` : `1000000000${DENOM},777uother`
}))

const addressOf = (byte: number, prefix = 'service') => toBech32(prefix, new Uint8Array(20).fill(byte))

export const RECIPIENT = addressOf(1)
/** An address that never appears on the chain. */
export const UNKNOWN_ADDRESS = addressOf(2)
export const OTHER_CHAIN_ADDRESS = addressOf(1, 'cosmos')
