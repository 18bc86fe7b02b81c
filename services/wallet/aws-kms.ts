import type { RemoteKey } from './remote-key.ts'

/** Maximum duration of a call including retries, in milliseconds: shorter than the engine waits for a signature. */
const MAX_CALL_MS = 4500

/**
 * Opens an AWS KMS key with the spec ECC_SECG_P256K1. The SDK determines the region and credentials.
 * @param key ARN of a key or an alias
 */
export async function awsKmsKey(key: string): Promise<RemoteKey> {
  const { KMSClient, GetPublicKeyCommand, SignCommand } = await import('@aws-sdk/client-kms')
  const client = new KMSClient()
  const limit = () => ({ abortSignal: AbortSignal.timeout(MAX_CALL_MS) })
  const { PublicKey: spki } = await client.send(new GetPublicKeyCommand({ KeyId: key }), limit())
  return {
    spki: spki ?? '',
    async sign(digest) {
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: key,
          Message: digest,
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256'
        }),
        limit()
      )
      return Signature ?? new Uint8Array()
    }
  }
}
