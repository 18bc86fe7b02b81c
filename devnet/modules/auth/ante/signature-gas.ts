import { sdkError } from '../../../chain/errors.ts'
import { decodePublicKey, fromStored, type PublicKey } from '../public-keys.ts'
import { isBitSet } from '../signatures.ts'
import type { AnteContext } from './context.ts'
import { MAX_SIGNATURES } from './limits.ts'
import { signerAccount } from './public-keys.ts'

const VERIFY_COST = 1000

function countKeys(key: PublicKey): number {
  return key.kind === 'multisig' ? key.keys.reduce((sum, part) => sum + countKeys(part), 0) : 1
}

/** @throws AbciError 14 for too many keys; each key inside a multisig key counts */
export function checkSignatureCount({ tx }: AnteContext): void {
  let count = 0
  for (const { publicKey } of tx.signerInfos) {
    if (publicKey?.typeUrl) count += countKeys(decodePublicKey(publicKey))
    if (count > MAX_SIGNATURES)
      throw sdkError('tooManySignatures', `signatures: ${count}, limit: ${MAX_SIGNATURES}`)
  }
}

/** Gas for each signature to verify. @throws AbciError 8 when the chain has no key for the account */
export function consumeSignatureGas(context: AnteContext): void {
  const { tx, meter, mode } = context
  for (const [index, { modeInfo }] of tx.signerInfos.entries()) {
    const stored = signerAccount(context, tx.signers[index] ?? '').pubKey
    if (!stored && mode !== 'simulate') throw sdkError('invalidPubKey', 'unrecognized public key type: <nil>')
    const key = stored && decodePublicKey(fromStored(stored))
    const parts = key?.kind === 'multisig' ? key.keys : [undefined]
    const bits = key?.kind === 'multisig' ? modeInfo?.multi?.bitarray : undefined
    for (const [part] of parts.entries()) {
      if (key?.kind === 'multisig' && !(bits && isBitSet(bits, part))) continue
      meter.consume(VERIFY_COST, 'ante verify: secp256k1')
    }
  }
}
