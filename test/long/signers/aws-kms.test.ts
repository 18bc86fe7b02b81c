import type { ServerResponse } from 'node:http'
import { startNetwork } from '../../helpers/app.ts'
import { serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { assertKeyProblems, newKey } from './key-service.ts'
import { signsThroughFaults } from './signers.ts'

Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'example',
  AWS_SECRET_ACCESS_KEY: 'example'
})

const arn = (name: string) => `arn:aws:kms:eu-central-1:111122223333:key/${name}`

const reply = (response: ServerResponse, body: object, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))

const refuse = (response: ServerResponse, type: string) =>
  reply(response, { __type: type, message: `the key service rejected the call: ${type}` }, 400)

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=example\/\d{8}\/eu-central-1\/kms\/aws4_request, /

test('a server signs with a key in AWS KMS', async t => {
  const [own, other, p256] = [newKey(), newKey(), newKey('prime256v1')]
  let answer: ((response: ServerResponse) => void) | undefined
  let signing = own
  const kms = await serve(t, ({ headers, body }, response) => {
    if (!AUTHORIZATION.test(headers.authorization ?? '')) return refuse(response, 'AccessDeniedException')
    const { KeyId, Message, ...parameters } = JSON.parse(body)
    const key = new Map([
      [arn('own'), own],
      [arn('p256'), p256]
    ]).get(KeyId)
    if (!key) return refuse(response, 'NotFoundException')
    if (headers['x-amz-target'] === 'TrentService.GetPublicKey') {
      const spki = key.publicKey.export({ format: 'der', type: 'spki' })
      return reply(response, { KeyId, PublicKey: spki.toString('base64') })
    }
    t.equal(headers['x-amz-target'], 'TrentService.Sign')
    if (answer) return answer(response)
    t.strictSame(parameters, { MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' })
    reply(response, { KeyId, Signature: signing.sign(Buffer.from(Message, 'base64')) })
  })
  process.env['AWS_ENDPOINT_URL_KMS'] = kms.url
  const signer = { SERVICE_SIGNER: arn('own') }
  const faulty = (fault: (response: ServerResponse) => void) => (isOn: boolean) => {
    answer = isOn ? fault : undefined
  }
  const devnet = await startNetwork(t, { blockTimeMs: 500 })

  await signsThroughFaults(t, devnet, signer, {
    throttled: faulty(response => refuse(response, 'ThrottlingException')),
    slow: faulty(() => {}),
    away: faulty(response => response.destroy()),
    another: isOn => {
      signing = isOn ? other : own
    }
  })
  await assertKeyProblems(t, devnet, signer, {
    p256: arn('p256'),
    unknown: arn('nowhere'),
    unknownError: 'NotFoundException',
    denied: 'AccessDeniedException',
    deny: () => faulty(response => refuse(response, 'AccessDeniedException'))(true)
  })
})
