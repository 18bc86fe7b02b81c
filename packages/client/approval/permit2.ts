import { ApprovalError, argument, bounded, type Hex } from './bytes.ts'
import type { Ends, EvmCall } from './types.ts'

/** The Permit2 contract, which has the same address on every chain. */
export const PERMIT2 = '000000000022d473030f116ddee9f6b43ac78ba3'

/** The option `permit2` of a submission. `deadline` is in Unix seconds. */
export interface Permit2Option {
  r: Hex
  s: Hex
  v: 27 | 28
  deadline: number
}

/** What the owner of a Permit2 token signs. Both functions throw ApprovalError WRONG_PERMIT. */
export interface Permit2 {
  /** The call for `eth_call` that reads the nonce to sign. */
  nonce: EvmCall
  /**
   * Returns what to sign with `eth_signTypedData_v4`: the pool may spend the amount until the deadline.
   * @param nonce the result of `eth_call`
   * @param deadline in Unix seconds
   */
  typedData(values: { chainId: number; nonce: string; deadline: number }): {
    domain: { name: string; chainId: number; verifyingContract: Hex }
    types: Record<string, { name: string; type: string }[]>
    primaryType: 'PermitSingle'
    message: Record<string, unknown>
  }
  /** Returns the option for `bodyOf`. @param signature of the typed data: 65 bytes in hex */
  option(signature: string, deadline: number): Permit2Option
}

/** Creates the fields of an EIP-712 type from pairs of name and type. */
const fields = (list: string) =>
  list.split(', ').map(each => {
    const [name = '', type = ''] = each.split(' ')
    return { name, type }
  })

const types = {
  EIP712Domain: fields('name string, chainId uint256, verifyingContract address'),
  PermitSingle: fields('details PermitDetails, spender address, sigDeadline uint256'),
  PermitDetails: fields('token address, amount uint160, expiration uint48, nonce uint48')
}

export function permit2Of({ owner, pool, token, amount }: Ends): Permit2 {
  const contract: Hex = `0x${PERMIT2}`
  return {
    nonce: { to: contract, data: `0x927da105${[owner, token, pool].map(argument).join('')}` },
    typedData({ chainId, nonce: read, deadline }) {
      if (!/^0x[\da-f]{192}$/i.test(read)) throw wrong('nonce must be the 96 bytes that eth_call returns')
      const expiration = String(readDeadline(deadline))
      const nonce = String(BigInt(`0x${read.slice(-64)}`))
      const details = { token: `0x${token}`, amount: String(bounded(amount, 160)), expiration, nonce }
      return {
        domain: { name: 'Permit2', chainId, verifyingContract: contract },
        types,
        primaryType: 'PermitSingle',
        message: { details, spender: `0x${pool}`, sigDeadline: expiration }
      }
    },
    option(signature, deadline) {
      const [, v] = /^0x[\da-f]{128}(1b|1c|00|01)$/i.exec(signature) ?? []
      if (!v) throw wrong('signature must be 65 bytes in hex, the last 27 or 28')
      const [r, s]: [Hex, Hex] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`]
      return { r, s, v: /b|00/i.test(v) ? 27 : 28, deadline: readDeadline(deadline) }
    }
  }
}

const wrong = (message: string) => new ApprovalError('WRONG_PERMIT', message)

/** Rejects milliseconds too: as seconds, they are a time thousands of years ahead. */
function readDeadline(deadline: number): number {
  if (Number.isInteger(deadline) && deadline > Date.now() / 1000 && deadline < 1e11) return deadline
  throw wrong('deadline must be a time in the future, in whole Unix seconds')
}
