import { ApprovalError, argument, bounded, type Hex } from './bytes.ts'
import { PERMIT2, type Permit2, permit2Of } from './permit2.ts'
import type { Ends, EvmCall } from './types.ts'

/** The body of Tron's `triggersmartcontract` and `triggerconstantcontract`. Sends no coins. Costs at most 100 TRX. */
export interface TronCall {
  owner_address: string
  contract_address: string
  function_selector: string
  parameter: string
  fee_limit: number
  call_value: 0
  visible: true
}

interface ContractApproval<Family, Call> {
  family: Family
  /** The address that may spend the token: the pool, or the Permit2 contract for a Permit2 token. */
  spender: string
  amount: string
  /** Reads the current allowance: a call for `eth_call`, or `triggerconstantcontract`. */
  allowance: Call
  /**
   * Returns the transactions to send, each after the receipt of the one before: none if the allowance suffices. A
   * smaller allowance is first set to zero, because tokens such as USDT refuse to change it otherwise.
   * @param allowance the result of `eth_call`, or `constant_result[0]`
   * @throws ApprovalError WRONG_TOKEN if the chain that was called has no such token
   */
  transactions(allowance: string): Call[]
}

export interface EvmApproval extends ContractApproval<'EVM', EvmCall> {
  /** Only for a Permit2 token: the typed data that the user also signs. */
  permit2?: Permit2
}

export type TronApproval = ContractApproval<'TRX', TronCall>

/** @param call creates the call of one of the token's functions */
function callsOf<Call>(
  { owner, amount }: Ends,
  spender: string,
  call: (name: 'allowance' | 'approve', parameter: string) => Call
) {
  const needed = bounded(amount, 256)
  const approve = (value: bigint) => call('approve', argument(spender) + argument(value))
  return {
    amount,
    allowance: call('allowance', argument(owner) + argument(spender)),
    transactions(allowance: string) {
      const [, digits] = /^(?:0x)?([\da-f]{64})$/i.exec(allowance) ?? []
      if (!digits) throw new ApprovalError('WRONG_TOKEN', 'The chain that was called has no such token')
      const present = BigInt(`0x${digits}`)
      if (present >= needed) return []
      return present === 0n ? [approve(needed)] : [approve(0n), approve(needed)]
    }
  }
}

export function evmApproval(ends: Ends): EvmApproval {
  const spender = ends.isPermit2 ? PERMIT2 : ends.pool
  const selectors = { allowance: '0xdd62ed3e', approve: '0x095ea7b3' } as const
  const to: Hex = `0x${ends.token}`
  return {
    family: 'EVM',
    spender: `0x${spender}`,
    ...callsOf<EvmCall>(ends, spender, (name, parameter) => ({ to, data: `${selectors[name]}${parameter}` })),
    ...(ends.isPermit2 && { permit2: permit2Of(ends) })
  }
}

/** @param ends the bytes of the addresses in hex @param texts the addresses in base58 */
export function tronApproval(ends: Ends, texts: Pick<Ends, 'owner' | 'pool' | 'token'>): TronApproval {
  const types = { allowance: 'address,address', approve: 'address,uint256' }
  const common = { owner_address: texts.owner, contract_address: texts.token, fee_limit: 100_000_000 }
  const call = (name: 'allowance' | 'approve', parameter: string): TronCall => {
    const function_selector = `${name}(${types[name]})`
    return { ...common, function_selector, parameter, call_value: 0, visible: true }
  }
  return { family: 'TRX', spender: texts.pool, ...callsOf(ends, ends.pool, call) }
}
