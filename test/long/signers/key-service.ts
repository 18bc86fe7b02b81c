import { generateKeyPairSync } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Devnet } from '../../../packages/devnet/index.ts'
import type { Variables } from '../../helpers/app.ts'
import type { Test } from '../../helpers/tap.ts'
import { addressOf, startProblems } from './signers.ts'

/** Creates a key as key services have them: its signatures of digests are in DER, with a high or low s. */
export function newKey(namedCurve = 'secp256k1') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const secret = Buffer.from(d, 'base64url')
  const options = { prehash: false, lowS: false, format: 'der', extraEntropy: true } as const
  return {
    publicKey,
    sign: (digest: Buffer) => Buffer.from(secp256k1.sign(digest, secret, options)).toString('base64')
  }
}

/** Asserts the startup errors for a key on another curve, an unknown key, and a key that may not sign. */
export async function assertKeyProblems(
  t: Test,
  devnet: Devnet,
  signer: Variables,
  wrong: { p256: string; unknown: string; unknownError: string; denied: string; deny(): void }
): Promise<void> {
  const { p256, unknown, unknownError, denied, deny } = wrong
  const problems = (variables: Variables) => startProblems(t, devnet, { ...signer, ...variables })
  t.match(await problems({ SERVICE_SIGNER: p256 }), ['SERVICE_SIGNER is not a secp256k1 key; expected'])
  t.match(await problems({ SERVICE_SIGNER: unknown }), [
    new RegExp(`^SERVICE_SIGNER has no readable public key \\(${unknownError}\\); `)
  ])
  const SERVICE_SIGNER_ADDRESS = await addressOf(t, devnet, signer)
  deny()
  t.match(await problems({ SERVICE_SIGNER_ADDRESS }), [
    new RegExp(`^SERVICE_SIGNER points to a signer that fails \\(${denied}\\); `)
  ])
}
