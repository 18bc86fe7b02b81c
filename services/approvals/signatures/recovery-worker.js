// Plain JavaScript, because tsx does not compile the code of worker threads.
import { parentPort } from 'node:worker_threads'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

parentPort.on('message', ({ id, digest, compact, recoveryBit }) => {
  parentPort.postMessage({ id, recovered: recover(digest, compact, recoveryBit) })
})

function recover(digest, compact, recoveryBit) {
  try {
    const signature = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recoveryBit)
    const [_form, ...key] = signature.recoverPublicKey(digest).toBytes(false)
    const address = keccak_256(Uint8Array.from(key)).subarray(-20)
    return { address: Buffer.from(address).toString('hex'), isHighS: signature.hasHighS() }
  } catch {
    return undefined
  }
}
