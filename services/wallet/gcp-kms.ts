import type { RemoteKey } from './remote-key.ts'

/**
 * Opens a Google Cloud KMS key with the algorithm EC_SIGN_SECP256K1_SHA256, over REST. The SDK determines the
 * credentials. A call without a response fails only after five minutes.
 * @param key name of the key version: projects/…/cryptoKeyVersions/1, after the URL of an endpoint that is not the public
 *   one
 */
export async function gcpKmsKey(key: string): Promise<RemoteKey> {
  const name = key.slice(key.search(/projects\/(?!.*\/projects\/)/))
  const url = key.slice(0, -name.length)
  const { KeyManagementServiceClient } = await import('@google-cloud/kms')
  const client = new KeyManagementServiceClient({ fallback: true, ...(url !== '' && placeOf(url)) })
  const [{ pem }] = await client.getPublicKey({ name })
  return {
    spki: pem ?? '',
    async sign(digest) {
      const [{ signature }] = await client.asymmetricSign({ name, digest: { sha256: digest } })
      return Buffer.from(signature ?? '')
    }
  }
}

/** Returns the client's options for a URL. Without a port in the URL, it is the protocol's. */
function placeOf(url: string) {
  const { protocol, hostname, port } = new URL(url)
  return {
    protocol: protocol.slice(0, -1),
    apiEndpoint: hostname,
    port: Number(port) || (protocol === 'http:' ? 80 : 443)
  }
}
