import type { ServerResponse } from 'node:http'
import { startNetwork } from '../../helpers/app.ts'
import { type SeenRequest, serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { AWS_ENV, startMoto } from './moto.ts'
import { signsThroughFaults, startProblems } from './signers.ts'

Object.assign(process.env, AWS_ENV)

const refuse = (response: ServerResponse, type: string) =>
  void response
    .writeHead(400, { 'content-type': 'application/x-amz-json-1.1' })
    .end(JSON.stringify({ __type: type, message: `the key service rejected the call: ${type}` }))

const isSign = ({ headers }: SeenRequest) => headers['x-amz-target'] === 'TrentService.Sign'

test('signs with a key in AWS KMS', async t => {
  const moto = await startMoto(t)
  const devnet = await startNetwork(t, { blockTimeMs: 500 })
  const key = await moto.createKey('ECC_SECG_P256K1')
  const other = await moto.createKey('ECC_SECG_P256K1')
  let answer: ((response: ServerResponse) => void) | undefined
  let signingKey = key
  // A proxy in front of moto that injects faults: moto itself is never slow, never throttles and never returns wrong
  // responses.
  const front = await serve(t, async (request, response) => {
    if (isSign(request) && answer) return answer(response)
    const { body, headers } = request
    const { authorization = '', 'x-amz-target': target = '' } = headers
    const forwarded = await fetch(moto.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': String(target),
        authorization
      },
      body: isSign(request) ? body.replace(key, signingKey) : body
    })
    const type = 'application/x-amz-json-1.1'
    response.writeHead(forwarded.status, { 'content-type': type }).end(await forwarded.text())
  })
  const signer = { SERVICE_SIGNER: 'aws-kms', SERVICE_SIGNER_KEY: key, SERVICE_SIGNER_URL: front.url }
  const faulty = (fault: (response: ServerResponse) => void) => (isOn: boolean) => {
    answer = isOn ? fault : undefined
  }

  await signsThroughFaults(t, devnet, signer, {
    throttled: faulty(response => refuse(response, 'ThrottlingException')),
    slow: faulty(() => {}),
    away: faulty(response => response.destroy()),
    another: isOn => {
      signingKey = isOn ? other : key
    }
  })
  const digests = front.seen.filter(isSign).map(({ body }) => JSON.parse(body))
  t.ok(digests.every(({ MessageType }) => MessageType === 'DIGEST'))

  const curve = await moto.createKey('ECC_NIST_P256')
  t.match(await startProblems(t, devnet, { ...signer, SERVICE_SIGNER_KEY: curve }), [
    'SERVICE_SIGNER_KEY is not a secp256k1 key; expected'
  ])
  t.match(await startProblems(t, devnet, { ...signer, SERVICE_SIGNER_KEY: key.replaceAll(/\d/g, '0') }), [
    /^SERVICE_SIGNER_KEY has no readable public key \(NotFoundException\); /
  ])
  const { [0]: wrongAddress = '' } = await startProblems(t, devnet, signer)
  t.match(wrongAddress, /^SERVICE_SIGNER_ADDRESS is not the address of the signer’s key; expected service1/)
  const SERVICE_SIGNER_ADDRESS = wrongAddress.slice(-46)
  answer = response => refuse(response, 'AccessDeniedException')
  t.match(await startProblems(t, devnet, { ...signer, SERVICE_SIGNER_ADDRESS }), [
    /^SERVICE_SIGNER_KEY points to a signer that fails \(AccessDeniedException\); /
  ])
})
