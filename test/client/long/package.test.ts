import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { temporaryFolder } from '../../helpers/app.ts'
import { compileWithEachResolution } from '../../helpers/module-resolutions.ts'
import { run, usersEnvironment } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

/** A program that uses the client, to be compiled. test/client/long/example.test.ts runs one. */
const clientProgram = `
import { bodyOf, ClientError, createClient, type QuoteRequest } from 'transaction-back-end-client'
const client = createClient({ baseUrl: '' })
const { data: chains = [], error } = await client.api.GET('/chains')
if (error?.code === 'RATE_LIMITED') throw new Error(error.message)
export const name: string | undefined = chains.find(chain => chain.shortName === 'ETH')?.name
declare const request: QuoteRequest
const { txId } = await client.submitAndWait(bodyOf(await client.quote(request), { signature: '0xsigned' }))
if (txId === undefined) throw new Error('no id')
export let last: string | undefined
for await (const { txstatus } of client.watch({ txId })) last = txstatus
const refused: unknown = await client.quote(request).catch((error: unknown) => error)
if (!(refused instanceof ClientError)) throw refused
// @ts-expect-error This error code does not exist.
export const isNonsense = refused.failure.code === 'NONSENSE'
export const path = refused.failure.code === 'VALIDATION' && refused.failure.details[0]?.path
`

/** A webhook receiver. Arguments: body, headers, secret. */
const receiverProgram = `
import { type schemas, verifyWebhook } from 'transaction-back-end-client/webhooks'
declare const process: { argv: string[] }
const [, , body = '', headers = '', secret = ''] = process.argv
const event = verifyWebhook(body, JSON.parse(headers), secret)
if (event.type === 'transfer.finished') {
  const record: schemas.TransferRecord | schemas.SwapRecord = event.data.record
  console.log(event.data.txId, record.txstatus, event.data.request.feeId)
  // @ts-expect-error Events of this type have no submission.
  console.log(event.data.submission)
}
`

test('the packed client', async t => {
  const folder = temporaryFolder(t)
  const env = usersEnvironment()
  await run('npm', ['pack', '-w', 'packages/client', '--pack-destination', folder], { env })
  const [tarball = ''] = readdirSync(folder)
  t.match(tarball, /^transaction-back-end-client-\d.*\.tgz$/)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder, env })
  const path = join(folder, 'node_modules/transaction-back-end-client')
  writeFileSync(join(folder, 'client.ts'), clientProgram)
  writeFileSync(join(folder, 'receiver.ts'), receiverProgram)
  await compileWithEachResolution(folder, { lib: ['es2023', 'dom'], types: [] })

  t.test('is small and has no dependencies', async t => {
    t.ok(statSync(join(folder, tarball)).size < 100_000, `${statSync(join(folder, tarball)).size} bytes`)
    for (const name of ['index', 'webhooks']) {
      const code = readFileSync(join(path, `dist/${name}.js`))
      t.ok(gzipSync(code).length < 12_000, `${name}: ${gzipSync(code).length} bytes`)
      t.notMatch(code.toString(), /\bimport\b|\brequire\(/)
    }
    const installed = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))
    t.same(installed, ['transaction-back-end-client'])
    const licences = readFileSync(join(path, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
    t.match(licences, /openapi-fetch@.*standardwebhooks@/s)
  })

  t.test('verifies webhooks', async t => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const record = { txstatus: 'Completed' }
    const data = { kind: 'transfer', txId: 7, record, request: { feeId: 'f1' } }
    const body = JSON.stringify({ type: 'transfer.finished', data })
    const at = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body)
    }
    const receive = (body: string, secret: string) =>
      run(process.execPath, ['receiver.js', body, JSON.stringify(headers), secret], { cwd: folder })
    t.equal(await receive(body, secret), '7 Completed f1\nundefined\n')
    await t.rejects(receive(`${body} `, secret), /No matching signature found/)
    for (const short of ['', 'whsec_', `whsec_${'A'.repeat(31)}`])
      await t.rejects(receive(body, short), /The secret must be whsec_/)
  })
})
