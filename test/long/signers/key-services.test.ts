import { createVerify, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toBase64 } from '@cosmjs/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { addressOf, signsThroughFaults, startProblems } from './signers.ts'
// On a busy machine, loading them takes longer than a server waits for its key.
import '@aws-sdk/client-kms'
import '@google-cloud/kms'

/** Creates a key as key services have them: its signatures of digests are in DER, with a high or low s. */
function newKey(namedCurve: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const options = { prehash: false, lowS: false, format: 'der', extraEntropy: true } as const
  const sign = (digest: string) =>
    toBase64(secp256k1.sign(Buffer.from(digest, 'base64'), Buffer.from(d, 'base64url'), options))
  return { publicKey, sign }
}

/** The service's keys, by the last part of their names. */
const keys = new Map([
  ['1', newKey('secp256k1')],
  ['2', newKey('prime256v1')]
])
const keyOf = (name: string) => keys.get(name.at(-1) ?? '')

const account = generateKeyPairSync('rsa', { modulusLength: 2048 })

interface Refusal {
  status: number
  name: string
}

/** A service that has keys, as its SDK calls it. */
interface KeyService {
  keyName(number: number, url: string): string
  isSigned(request: SeenRequest): boolean
  /** Reads a call: the name of the key, and the digest to sign; without one, its public key is returned. */
  read(request: SeenRequest): { key: string; digest?: string }
  publicKey(name: string, key: ReturnType<typeof newKey>): object
  signature(name: string, signature: string): object
  refused(refusal: Refusal): object
  unknown: Refusal
  denied: Refusal
  throttled: Refusal
  /** How startup errors name a refusal. */
  shown(refusal: Refusal): string
}

const SIGNED_BY_AWS = /^AWS4-HMAC-SHA256 Credential=example\/\d{8}\/eu-central-1\/kms\/aws4_request, /

const SERVICES: Record<string, KeyService> = {
  'AWS KMS': {
    keyName: number => `arn:aws:kms:eu-central-1:111122223333:key/${number}`,
    isSigned: ({ headers }) => SIGNED_BY_AWS.test(headers.authorization ?? ''),
    read({ headers, body }) {
      const { KeyId: key, Message: digest, ...parameters } = JSON.parse(body)
      const isSigning = headers['x-amz-target'] === 'TrentService.Sign'
      const isRight = parameters.MessageType === 'DIGEST' && parameters.SigningAlgorithm === 'ECDSA_SHA_256'
      return isSigning && isRight ? { key, digest } : { key }
    },
    publicKey: (KeyId, { publicKey }) => ({
      KeyId,
      PublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    }),
    signature: (KeyId, Signature) => ({ KeyId, Signature }),
    refused: ({ name }) => ({ __type: name, message: 'the key service rejected the call' }),
    unknown: { status: 400, name: 'NotFoundException' },
    denied: { status: 400, name: 'AccessDeniedException' },
    throttled: { status: 400, name: 'ThrottlingException' },
    shown: ({ name }) => name
  },
  'Google Cloud KMS': {
    keyName: (number, url) =>
      `${url}/projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/${number}`,
    isSigned({ headers }) {
      const [head, body, signature = ''] = (headers.authorization ?? '').replace('Bearer ', '').split('.')
      const verify = createVerify('RSA-SHA256').update(`${head}.${body}`)
      return verify.verify(account.publicKey, signature, 'base64url')
    },
    read({ url, body }) {
      const [, key = '', call] = /^\/v1\/([^:?]*\d)(\/publicKey|:asymmetricSign)/.exec(url) ?? []
      return call === ':asymmetricSign' ? { key, digest: JSON.parse(body).digest.sha256 } : { key }
    },
    publicKey: (name, { publicKey }) => ({
      name,
      pem: publicKey.export({ format: 'pem', type: 'spki' }),
      algorithm: name.endsWith('1') ? 'EC_SIGN_SECP256K1_SHA256' : 'EC_SIGN_P256_SHA256'
    }),
    signature: (name, signature) => ({ name, signature }),
    refused: ({ status, name }) => ({ error: { code: status, status: name, message: 'rejected' } }),
    unknown: { status: 404, name: 'NOT_FOUND' },
    denied: { status: 403, name: 'PERMISSION_DENIED' },
    throttled: { status: 429, name: 'RESOURCE_EXHAUSTED' },
    shown: ({ status }) => `Error ${status}`
  }
}

for (const [title, service] of Object.entries(SERVICES)) {
  test(`a server signs with a key in ${title}`, async t => {
    let fault: Refusal | undefined
    const { url } = await serve(t, (request, response) => {
      const refuse = (refusal: Refusal) => json(response, service.refused(refusal), refusal.status)
      if (!service.isSigned(request)) return refuse(service.denied)
      const { key: name, digest } = service.read(request)
      const key = keyOf(name)
      if (key === undefined) return refuse(service.unknown)
      if (digest === undefined) return json(response, service.publicKey(name, key))
      return fault ? refuse(fault) : json(response, service.signature(name, key.sign(digest)))
    })
    const credentials = join(temporaryFolder(t), 'account.json')
    const private_key = account.privateKey.export({ format: 'pem', type: 'pkcs8' })
    const client_email = 'service@p.iam.gserviceaccount.com'
    const content = { type: 'service_account', project_id: 'p', private_key, client_email }
    writeFileSync(credentials, JSON.stringify(content))
    Object.assign(process.env, {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'example',
      AWS_SECRET_ACCESS_KEY: 'example',
      AWS_ENDPOINT_URL_KMS: url,
      GOOGLE_APPLICATION_CREDENTIALS: credentials
    })
    const signer = { SERVICE_SIGNER: service.keyName(1, url) }
    const devnet = await startNetwork(t, { blockTimeMs: 500 })
    const throttled = (isOn: boolean) => {
      fault = isOn ? service.throttled : undefined
    }
    await signsThroughFaults(t, devnet, signer, { throttled })

    const problems = (number: number) =>
      startProblems(t, devnet, { SERVICE_SIGNER: service.keyName(number, url) })
    t.match(await problems(2), ['SERVICE_SIGNER is not a secp256k1 key; expected'])
    const unknown = `SERVICE_SIGNER has no readable public key (${service.shown(service.unknown)}); `
    t.ok((await problems(3))[0]?.startsWith(unknown), unknown)
    fault = service.denied
    const SERVICE_SIGNER_ADDRESS = await addressOf(t, devnet, signer)
    const denied = `SERVICE_SIGNER points to a signer that fails (${service.shown(fault)}); `
    const [problem] = await startProblems(t, devnet, { ...signer, SERVICE_SIGNER_ADDRESS })
    t.ok(problem?.startsWith(denied), denied)
  })
}
