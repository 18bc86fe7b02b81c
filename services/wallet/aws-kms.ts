import type { RemoteKey } from './remote-key.ts'

/** How long a call may take including retries, in milliseconds: it ends before the engine stops waiting for it. */
const MOST_CALL_MS = 4500

/**
 * A key of AWS KMS with the spec ECC_SECG_P256K1. The SDK finds the region and credentials.
 * @param key its id, ARN or alias
 * @param url undefined for the region's public URL
 */
export async function awsKmsKey(key: string, url: string | undefined): Promise<RemoteKey> {
  const { KMSClient, GetPublicKeyCommand, SignCommand } = await import('@aws-sdk/client-kms')
  const client = new KMSClient(url === undefined ? {} : { endpoint: url })
  const limit = () => ({ abortSignal: AbortSignal.timeout(MOST_CALL_MS) })
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
