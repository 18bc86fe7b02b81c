import { Decimal } from '@cosmjs/math'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Address, BaseError, formatEther, formatUnits, type Hex, serializeSignature } from 'viem'
import { type Movement, railOf } from '../modules/transfer/lifecycle.ts'
import type { TransactionRecord } from '../modules/transfer/record.ts'
import { type PoolBalance, poolBalances, poolKeys } from '../registry/pools.ts'
import type { EvmChain, EvmToken } from './chain.ts'

const word = Type.Unsafe<Hex>(Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }))
const Permit2Option = Type.Object({ r: word, s: word, v: Type.Integer(), deadline: Type.Integer() })

const pool = poolKeys.ecdsa
const FROM_POOL = { account: pool, chain: null } as const

/** The pool's account on the development chains. */
export function createPool(chainOf: (shortName: string) => EvmChain | undefined) {
  /** @throws Error if an amount has more fraction digits than the token */
  function payment(shortName: string, symbol: string, user: string, ...amounts: string[]): Payment {
    const chain = chainOf(shortName)
    const token = chain?.tokens[symbol]
    if (chain === undefined || token === undefined) throw new Error(`${shortName} has no ${symbol}`)
    const units = amounts.map(amount => BigInt(Decimal.fromUserInput(amount, token.decimals).atomics))
    return { chain, token, user: user as Address, value: units.reduce((sum, unit) => sum + unit) }
  }

  /** @throws Error with the reason, such as that of a revert */
  async function move(movement: Movement, record: TransactionRecord): Promise<Hex> {
    const { originChain, originSymbol, originAddress, fee, permit2 } = record
    const isTransfer = record.kind === 'transfer'
    try {
      if (movement === 'release') {
        const amount = isTransfer ? record.amount : record.amountOut
        return await pay(payment(record.targetChain, record.targetSymbol, record.targetAddress, amount))
      }
      const amount = isTransfer ? record.amount : record.amountIn
      const taken = payment(originChain, originSymbol, originAddress, amount, fee)
      if (movement === 'refund') return await pay(taken)
      return await (permit2 === undefined ? pull(taken) : pullPermitted(taken, permit2))
    } catch (error) {
      throw error instanceof BaseError ? new Error(error.details) : error
    }
  }

  /** Returns what the chain reports of its pools, with this account's balances on real nodes. */
  function balances(): Promise<PoolBalance[]> {
    const read = async (entry: PoolBalance): Promise<PoolBalance> => {
      const chain = chainOf(entry.chainName)
      if (chain === undefined) return entry
      const balance = entry.balance.map(async (part): Promise<typeof part> => {
        const contract = chain.tokens[part.tokenSymbol]?.contract
        const amount = formatUnits((await contract?.read.balanceOf([pool])) ?? 0n, Number(part.decimal))
        return { ...part, amount }
      })
      const coins = await chain.client.getBalance({ address: pool })
      return { ...entry, balance: await Promise.all(balance), nativeGasAmount: formatEther(coins) }
    }
    return Promise.all(poolBalances.map(read))
  }

  const moves = (movement: Movement, record: TransactionRecord) =>
    chainOf(railOf(movement, record)) !== undefined
  return { moves, move, balances }
}

interface Payment {
  chain: EvmChain
  token: EvmToken
  user: Address
  /** In the token's smallest unit. */
  value: bigint
}

const pay = ({ chain, token, user, value }: Payment) =>
  chain.sent(() => token.contract.write.transfer([user, value], FROM_POOL))

async function assertApproved(
  { token, user, value }: Payment,
  name: string,
  spender: Address
): Promise<void> {
  const allowance = await token.contract.read.allowance([user, spender])
  if (allowance < value)
    throw new Error(`the allowance for ${name} is ${allowance}, the transfer needs ${value}`)
}

async function pull(payment: Payment): Promise<Hex> {
  const { chain, token, user, value } = payment
  await assertApproved(payment, 'the pool', pool)
  return chain.sent(() => token.contract.write.transferFrom([user, pool, value], FROM_POOL))
}

/** Pulls by Permit2: sets the allowance that the user signed, which expires at the signature's deadline, and uses it. */
async function pullPermitted(payment: Payment, option: unknown): Promise<Hex> {
  if (!Value.Check(Permit2Option, option)) throw new Error('permit2 must be { r, s, v, deadline }')
  const { chain, token, user, value } = payment
  const { permit2Contract: permit2, sent } = chain
  await assertApproved(payment, 'Permit2', permit2.address)
  const { r, s, v, deadline } = option
  const [, , nonce] = await permit2.read.allowance([user, token.address, pool])
  const details = { token: token.address, amount: value, expiration: deadline, nonce }
  const single = { details, spender: pool, sigDeadline: BigInt(deadline) }
  const signature = serializeSignature({ r, s, v: BigInt(v) })
  await sent(() => permit2.write.permit([user, single, signature], FROM_POOL))
  return sent(() => permit2.write.transferFrom([user, pool, value, token.address], FROM_POOL))
}
