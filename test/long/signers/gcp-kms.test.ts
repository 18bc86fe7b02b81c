import { createVerify, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { assertKeyProblems, newKey } from './key-service.ts'
import { signsThroughFaults } from './signers.ts'

const NAME = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1'
const account = generateKeyPairSync('rsa', { modulusLength: 2048 })

function isSigned({ headers }: SeenRequest): boolean {
  const [head, body, signature = ''] = (headers.authorization ?? '').replace('Bearer ', '').split('.')
  const verify = createVerify('RSA-SHA256').update(`${head}.${body}`)
  return verify.verify(account.publicKey, signature, 'base64url')
}

/** Responds with the error of a call that Google rejects, in the format of its APIs. */
const refuse = (response: ServerResponse, code: number, status: string) =>
  json(response, { error: { code, status, message: 'the key service rejected the call' } }, code)

test('a server signs with a key in Google Cloud KMS', async t => {
  const credentials = join(temporaryFolder(t), 'account.json')
  const privateKey = account.privateKey.export({ format: 'pem', type: 'pkcs8' })
  const email = 'service@p.iam.gserviceaccount.com'
  writeFileSync(
    credentials,
    JSON.stringify({ type: 'service_account', project_id: 'p', private_key: privateKey, client_email: email })
  )
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = credentials
  const [own, other, p256] = [newKey(), newKey(), newKey('prime256v1')]
  let answer: ((response: ServerResponse) => void) | undefined
  let signing = own
  const kms = await serve(t, (request, response) => {
    const { method, url, body } = request
    const [path = ''] = url.split('?')
    const pem = (key: typeof own) => key.publicKey.export({ format: 'pem', type: 'spki' })
    if (!isSigned(request)) return refuse(response, 401, 'UNAUTHENTICATED')
    if (method === 'GET' && path === `/v1/${NAME}/publicKey`)
      return json(response, { name: NAME, pem: pem(own), algorithm: 'EC_SIGN_SECP256K1_SHA256' })
    if (method === 'GET' && path === `/v1/${NAME}2/publicKey`)
      return json(response, { name: `${NAME}2`, pem: pem(p256), algorithm: 'EC_SIGN_P256_SHA256' })
    if (method !== 'POST' || path !== `/v1/${NAME}:asymmetricSign`) return refuse(response, 404, 'NOT_FOUND')
    if (answer) return answer(response)
    const digest = Buffer.from(JSON.parse(body).digest.sha256, 'base64')
    json(response, { name: NAME, signature: signing.sign(digest) })
  })
  const key = `${kms.url}/${NAME}`
  const signer = { SERVICE_SIGNER: key }
  const faulty = (fault: (response: ServerResponse) => void) => (isOn: boolean) => {
    answer = isOn ? fault : undefined
  }
  const devnet = await startNetwork(t, { blockTimeMs: 500 })

  await signsThroughFaults(t, devnet, signer, {
    throttled: faulty(response => refuse(response, 429, 'RESOURCE_EXHAUSTED')),
    slow: faulty(() => {}),
    away: faulty(response => response.destroy()),
    garbled: faulty(response => json(response, { name: NAME, signature: 'AAAA' })),
    another: isOn => {
      signing = isOn ? other : own
    }
  })
  await assertKeyProblems(t, devnet, signer, {
    p256: `${key}2`,
    unknown: `${key}3`,
    unknownError: 'Error 404',
    denied: 'Error 403',
    deny: () => faulty(response => refuse(response, 403, 'PERMISSION_DENIED'))(true)
  })
})
