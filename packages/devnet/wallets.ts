import { fromHex, toBech32 } from '@cosmjs/encoding'

/**
 * The development network's wallets. Their phrases are public on purpose: they are common examples from the
 * documentation of many tools. Their accounts are worthless. Never use them on a real network.
 */

/** Funded and whitelisted: the server under development signs with it. */
export const DEVELOPMENT_WALLET = 'test test test test test test test test test test test junk'

/** Funded but not whitelisted: the chain refuses what it submits. */
export const OTHER_WALLET =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** The accounts of the two phrases, kept here because deriving one takes half a second. */
const DEVELOPMENT_ACCOUNT = 'a12daaf3c2c1505b288353b62cb3b4021c60c344'
const OTHER_ACCOUNT = '28ff5c6d57d8cfd492b6fb42614536ed648e01fd'

/** The chain addresses of both wallets. */
export function walletAddresses(prefix: string): { development: string; other: string } {
  return {
    development: toBech32(prefix, fromHex(DEVELOPMENT_ACCOUNT)),
    other: toBech32(prefix, fromHex(OTHER_ACCOUNT))
  }
}
