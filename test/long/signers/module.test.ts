import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { toBase64 } from '@cosmjs/encoding'
import { OTHER_WALLET, walletAddresses } from '../../../packages/devnet/wallets.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import { startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { root } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'
import { signsThroughFaults, startProblems } from './signers.ts'

const example = join(root, 'docs/examples/signer/signer.mjs')
const key = await createSigner({ mnemonic: OTHER_WALLET, prefix: 'service' })
const another = await createSigner({ mnemonic: `${'zoo '.repeat(11)}wrong`, prefix: 'service' })

test('the example module signs through an external program that has the key', async t => {
  let status = 200
  let signs = key
  const program = createServer(async (request, response) => {
    if (status === 0) return
    const [chunk = Buffer.from('{}')] = await request.toArray()
    const { bytes = '' } = JSON.parse(String(chunk))
    const body =
      request.url === '/sign'
        ? { signature: toBase64(await signs.sign(Buffer.from(bytes, 'base64'))) }
        : { address: key.address, publicKey: toBase64(key.publicKey) }
    response.writeHead(status).end(JSON.stringify(body))
  })
  const path = join(temporaryFolder(t), 'signer.sock')
  function listen(isOn: boolean): void {
    if (isOn) return void program.listen(path)
    program.close()
    program.closeAllConnections()
  }
  listen(true)
  t.teardown(() => listen(false))
  process.env['SIGNER_SOCKET'] = path
  const becomes = (fault: number) => (isOn: boolean) => {
    status = isOn ? fault : 200
  }
  const faults = {
    failing: becomes(500),
    slow: becomes(0),
    away: (isOn: boolean) => listen(!isOn),
    another: (isOn: boolean) => {
      signs = isOn ? another : key
    }
  }
  const devnet = await startNetwork(t, { blockTimeMs: 500 })
  await signsThroughFaults(t, devnet, { SERVICE_SIGNER: example }, faults)
})

test('a server with a wrong signer exits with an error that contains the variable', async t => {
  const devnet = await startNetwork(t)
  const folder = temporaryFolder(t)
  const module = (content: string, name = `${Math.random()}.mjs`) => {
    writeFileSync(join(folder, name), content)
    return { SERVICE_SIGNER: join(folder, name) }
  }
  const pubkey = `Uint8Array.from([${key.publicKey}])`
  const account = `{ address: '${key.address}', algo: 'secp256k1', pubkey: ${pubkey} }`
  const others = `{ ...${account}, pubkey: Uint8Array.from([${another.publicKey}]) }`
  const signer = (accounts: string, signDirect: string) =>
    module(`export default () => ({ getAccounts: async () => [${accounts}], signDirect: ${signDirect} })`)
  const fails = 'async () => { throw new Error("word word word") }'
  const unsigned = `async (_, signed) => ({ signed, signature: { signature: '${toBase64(new Uint8Array(64).fill(1))}' } })`
  const { development } = walletAddresses('service')
  const throwing = 'export default () => { throw new TypeError("a secret") }'
  const NOT_ITS_ADDRESS = '_ADDRESS is not the address of the signer’s key; expected'
  const ed25519 = account.replace('secp256k1', 'ed25519')

  for (const [set, problem] of [
    [{ SERVICE_SIGNER: '' }, `_ADDRESS is not the address of the phrase’s wallet; expected ${development}`],
    [module('export default 1'), ' points to a module whose default export is not a function; '],
    [module('export default () => ({})'), ' points to a module whose function returns no signer; '],
    [module(throwing), ' points to a module whose function fails (TypeError); '],
    [signer(ed25519, fails), `${NOT_ITS_ADDRESS} a signer with a secp256k1 key`],
    [signer(others, fails), `${NOT_ITS_ADDRESS} ${another.address}`],
    [signer(`${others}, ${account}`, fails), ' points to a signer that fails (Error); '],
    [signer(account, unsigned), ' points to a signer that fails (TypeError); ']
  ] as const) {
    const lines = await startProblems(t, devnet, { SERVICE_SIGNER_ADDRESS: key.address, ...set })
    t.equal(lines.length, 1, JSON.stringify(lines))
    t.ok(lines[0]?.startsWith(`SERVICE_SIGNER${problem}`), `${lines[0]}`)
    t.notMatch(lines[0], /a secret|word word/)
  }
})
