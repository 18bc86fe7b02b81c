import type * as schemas from '../openapi.ts'
import { type Quote, type SideName, sideOf } from '../quote.ts'
import { ApprovalError, fromBase58, toHex } from './bytes.ts'
import { type EvmApproval, evmApproval, type TronApproval, tronApproval } from './contracts.ts'
import { type SolanaApproval, solanaApproval } from './solana.ts'

/** What the user's wallet needs to approve the allowance. `family` discriminates it. */
export type TokenApproval = EvmApproval | SolanaApproval | TronApproval

/**
 * Returns the approval that the user makes on the origin chain before the submission (interface 16.3).
 * @param pool the origin chain's entry in `GET /chains/pool`
 * @param token the origin token's entry in `GET /chains`
 * @param options.side the side on which the user pays the fees, as for `bodyOf`
 * @throws ApprovalError WRONG_POOL or WRONG_TOKEN if the quote has another pool or token
 * @throws RangeError when the quote does not have this side
 */
export function approvalOf(
  quote: Quote,
  pool: Pick<schemas.Pool, 'chainName' | 'poolAddress'>,
  token: Pick<schemas.Token, 'symbol' | 'address' | 'decimals' | 'isPermit2'>,
  { side = 'feeFromOrigin' }: { side?: SideName } = {}
): TokenApproval {
  const { originAddress, originChain, originSymbol } = quote.request
  const { value: amount, decimals } = sideOf(quote, side).allowanceAmount
  const bytesOf = readers[originChain] ?? evmBytes
  const texts = { owner: originAddress, pool: pool.poolAddress, token: token.address }
  const bytes = { owner: bytesOf(texts.owner), pool: bytesOf(texts.pool), token: bytesOf(texts.token) }
  assert(pool.chainName === originChain, 'WRONG_POOL', `pool.chainName must be the quote’s ${originChain}`)
  assert(/[1-9a-f]/.test(bytes.pool), 'WRONG_POOL', `pool.poolAddress must be an address of ${originChain}`)
  assert(token.symbol === originSymbol, 'WRONG_TOKEN', `token.symbol must be the quote’s ${originSymbol}`)
  assert(token.decimals === decimals, 'WRONG_TOKEN', `token.decimals must be the quote’s ${decimals}`)
  assert(/[1-9a-f]/.test(bytes.token), 'WRONG_TOKEN', `token.address must be a contract of ${originChain}`)
  if (bytes.owner === '') throw new RangeError(`originAddress must be an address of ${originChain}`)
  const more = { amount, isPermit2: token.isPermit2 === true }
  if (originChain === 'SOL') return solanaApproval({ ...texts, ...more })
  if (originChain === 'TRX') return tronApproval({ ...bytes, ...more }, texts)
  return evmApproval({ ...bytes, ...more })
}

function assert(isRight: boolean, code: ApprovalError['code'], message: string): void {
  if (!isRight) throw new ApprovalError(code, message)
}

/** Each returns the bytes of an address in hex, or an empty string if the address has another format. */
const readers: Record<string, (address: string) => string> = {
  SOL: address => /^.{64}$/.exec(toHex(fromBase58(address)))?.[0] ?? '',
  TRX: address => /^41(.{40}).{8}$/.exec(toHex(fromBase58(address)))?.[1] ?? ''
}

const evmBytes = (address: string) => /^0x([\da-f]{40})$/.exec(address.toLowerCase())?.[1] ?? ''
