import { base58 } from '@scure/base'
import { family } from '../../chains/families.ts'
import type { EvmRpcs } from '../evm-rpc.ts'
import { isAccepted } from './contract-wallets.ts'
import { createRecovery, digestOf, readRecoverable } from './recovery.ts'
import { isSolanaSignature, readSolanaSignature } from './solana.ts'

/** A signature that must be valid for at least one of the messages in `texts`. */
export interface SignedTexts {
  chain: string
  /** A valid address of the chain. */
  address: string
  signature: string
  texts: readonly string[]
}

export interface SignatureCheck {
  /**
   * @returns the problem, to be appended to the name of the signature field; undefined if the signature is valid
   * @throws UpstreamError, UpstreamTimeoutError if the chain of a contract wallet does not respond
   */
  problem(signed: SignedTexts): Promise<string | undefined>
  close(): Promise<void>
}

const NOT_THEIRS = 'is not the origin address’s signature'
/** The mark of ERC-8010, at the end or within another wrapper: before it is a call that the client has chosen. */
const WRAPPED = /(8010){16}/
const HIGH_S = 'must have an s in the lower half of the curve order, as wallets create it'

/** @param rpcs contract wallets are checked only on these chains */
export function createSignatureCheck(rpcs: Pick<EvmRpcs, 'get'>): SignatureCheck {
  const recovery = createRecovery()

  /** @param signer 20 bytes in lower-case hex */
  async function recoveredProblem(
    { signature, texts }: SignedTexts,
    chain: 'Ethereum' | 'TRON',
    signer: string
  ): Promise<string | undefined> {
    const recoverable = readRecoverable(signature)
    if (recoverable === undefined) return 'must be 65 bytes in hex'
    for (const text of texts) {
      const recovered = await recovery.recover({ digest: digestOf(chain, text), ...recoverable })
      if (recovered?.address === signer) return recovered.isHighS ? HIGH_S : undefined
    }
    return NOT_THEIRS
  }

  async function evmProblem(signed: SignedTexts): Promise<string | undefined> {
    const { chain, address, signature, texts } = signed
    const problem = await recoveredProblem(signed, 'Ethereum', address.slice(2).toLowerCase())
    if (problem === undefined || problem === HIGH_S) return problem
    const bytes = signature.toLowerCase()
    if (WRAPPED.test(bytes)) return 'must not be wrapped as in ERC-8010'
    const rpc = rpcs.get(chain)
    if (rpc === undefined) {
      return `${problem}, and contract wallets on ${chain} are supported only with SERVICE_EVM_RPC`
    }
    if (!/^0x([0-9a-fA-F]{2})*$/.test(signature)) return 'must be hex digits after 0x'
    for (const text of texts) if (await isAccepted(rpc, address, text, bytes)) return undefined
    return NOT_THEIRS
  }

  function tronProblem(signed: SignedTexts): Promise<string | undefined> {
    const [_prefix, ...bytes] = base58.decode(signed.address)
    return recoveredProblem(signed, 'TRON', Buffer.from(bytes.slice(0, 20)).toString('hex'))
  }

  function solanaProblem({ address, signature, texts }: SignedTexts): string | undefined {
    const bytes = readSolanaSignature(signature)
    if (bytes === undefined) return 'must be 64 bytes, in hex with 0x or in base58'
    return texts.some(text => isSolanaSignature(text, bytes, address)) ? undefined : NOT_THEIRS
  }

  return {
    async problem(signed) {
      switch (family(signed.chain)) {
        case 'EVM':
          return evmProblem(signed)
        case 'TRX':
          return tronProblem(signed)
        case 'SOL':
          return solanaProblem(signed)
        default:
          return `cannot be checked on ${signed.chain}`
      }
    },
    close: recovery.close
  }
}
