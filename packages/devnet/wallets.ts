import { fromHex, toBech32 } from '@cosmjs/encoding'

/** The phrases are deliberately public. Never use them on a real network. */

/** The wallet that the server signs with. Funded and whitelisted. */
export const DEVELOPMENT_WALLET = 'test test test test test test test test test test test junk'

/** Funded but not whitelisted: the chain rejects its submissions. */
export const OTHER_WALLET =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** The account hashes of both phrases; deriving one takes half a second. */
const DEVELOPMENT_ACCOUNT = 'a12daaf3c2c1505b288353b62cb3b4021c60c344'
const OTHER_ACCOUNT = '28ff5c6d57d8cfd492b6fb42614536ed648e01fd'

export function walletAddresses(prefix: string): { development: string; other: string } {
  return {
    development: toBech32(prefix, fromHex(DEVELOPMENT_ACCOUNT)),
    other: toBech32(prefix, fromHex(OTHER_ACCOUNT))
  }
}
