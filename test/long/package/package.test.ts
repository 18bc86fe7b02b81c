import { existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf, createClient } from '../../../packages/client/index.ts'
import { startNetwork, temporaryFolder, testEnv, untilReady } from '../../helpers/app.ts'
import { compileWithEachResolution } from '../../helpers/module-resolutions.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { read, run, usersEnvironment } from '../../helpers/repository.ts'
import { spawnServer, startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer.ts'
import { evmUser } from '../../helpers/users.ts'

/** The example program in docs/embedding.md, the example of a validation, and that of a logger. */
const blocks = read('docs/embedding.md').matchAll(/```ts\n(.*?)```/gs)
const [program = '', , withLogger = ''] = Array.from(blocks, ([, code = '']) => code)
/** The example program with the example of a logger. */
const logging = `import transactionBackEnd from 'transaction-back-end'\n${withLogger}`
const loggingProgram = program.replace(/^[\s\S]*^const server = .*$/m, () => logging)

/** A program with a custom validation and a plugin, for testing the package's type declarations. */
const validationProgram = `
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import transactionBackEnd, {
  loadConfig,
  type CheckedSubmission,
  type CustomTransValidation,
  type Options,
  type Settings
} from 'transaction-back-end'
const ofUnits = ({ origin, quote }: CheckedSubmission): bigint => origin.amount.units + BigInt(quote?.fee.value ?? 0)
const customTransValidation: CustomTransValidation = async ({ ip, submission }) =>
  ofUnits(submission) > 1000n ? { code: ip, message: submission.target.address } : ''
const server = Fastify()
const configuration = loadConfig({})
const options: Options = { configuration, customTransValidation }
server.register(transactionBackEnd, options)
server.decorate('customTransValidation', customTransValidation)
// @ts-expect-error A validation cannot return a number.
server.register(transactionBackEnd, { configuration, customTransValidation: () => 7 })
const isMainnet = ({ SERVICE_ENVIRONMENT }: Settings): boolean => SERVICE_ENVIRONMENT === 'mainnet'
export default async function plugin(app: FastifyInstance & { config: Settings }) {
  const limits: (string | undefined)[] = [app.config.SERVICE_GAS_PRICE, app.config.SERVICE_DAILY_FEE_LIMIT]
  if (isMainnet(app.config)) app.log.info({ limits, origins: app.config.DOMAIN.join() })
  // @ts-expect-error Secrets are not in the configuration.
  app.log.info(app.config.SERVICE_BACKEND_MNEMONIC)
  // @ts-expect-error The limit is undefined if there is no gas price.
  app.config.SERVICE_DAILY_FEE_LIMIT.length
}
// @ts-expect-error A submission has no such field.
server.register(transactionBackEnd, { configuration, customTransValidation: ({ submission }) => submission.price })
`

/** A program that records spans with its own copy of OpenTelemetry. */
const tracing = `
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
const spanProcessors = [new SimpleSpanProcessor(new ConsoleSpanExporter())]
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
`

const COMMITTED = { txId: Number }

/** Submits a transfer signed by its user to a running server. @returns the response */
async function submitApproved(url: string): Promise<unknown> {
  const user = evmUser()
  const client = createClient({ baseUrl: url, fetch: patientFetch })
  const quote = await client.quote({ ...TRANSFER, originAddress: user.address })
  const signature = await user.sign(quote.feeFromOrigin?.message ?? '')
  return client.submitAndWait(bodyOf(quote, { signature }))
}

test('the package, installed without development dependencies', async t => {
  const folder = temporaryFolder(t)
  const npmEnv = usersEnvironment()
  await run('npm', ['run', 'package', '--', folder], { env: npmEnv })
  const [filename] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const options = { cwd: folder, env: npmEnv }
  const add = (...packages: string[]) =>
    run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', ...packages], options)
  await add(`./${filename}`)
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { NODE_ENV: 'production', SERVICE_QUOTE_CHECK: 'required' })
  const bin = (name: string) => join(folder, 'node_modules/.bin', name)

  t.test('uses less than 60 MB of disk space with its dependencies', async t => {
    t.notOk(existsSync(join(folder, 'node_modules/fastify')), 'the bundled server needs no fastify package')
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    // `stat` counts blocks of 512 bytes, whatever the file system's block size.
    const size = paths.reduce((sum, path) => sum + 512 * lstatSync(join(folder, path)).blocks, 0)
    t.ok(size < 60_000_000, `${size} bytes`)
  })

  t.test('includes a server that submits a transfer', async t => {
    const server = await startServer(t, env, [bin('transaction-back-end')])
    t.equal(await (await fetch(`${server.url}/health`)).text(), 'ok')
    await untilReady(server.url)
    t.match(await submitApproved(server.url), COMMITTED)
    t.equal(await server.stop(), 0)
  })

  t.test('includes a server that reports which signer SDK to install if the SDK is missing', async t => {
    for (const [signer, sdk] of [
      ['arn:aws:kms:eu-central-1:111122223333:key/k', '@aws-sdk/client-kms'],
      ['projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1', '@google-cloud/kms']
    ]) {
      const address = `service1${'q'.repeat(38)}`
      const named = { SERVICE_SIGNER: `${signer}`, SERVICE_SIGNER_ADDRESS: address }
      const server = await spawnServer(t, { ...env, ...named }, [bin('transaction-back-end')])
      t.equal(await server.exited, 1)
      const toInstall = `expected it to be installed with \`npm install ${sdk}\``
      t.equal(server.output, `SERVICE_SIGNER needs the package ${sdk}; ${toInstall}\n`)
    }
  })

  t.test('includes the operator tool', async t => {
    const tool = (...args: string[]) =>
      run(bin('transaction-back-end-submissions'), args, { cwd: folder, env })
    t.match(await tool('--help'), /^Usage: transaction-back-end-submissions COMMAND/)
    t.match(await tool('list'), /committed/)
  })

  t.test('includes the service as a plugin', async t => {
    await add('fastify@5', '@types/node@20', '@opentelemetry/api@1', '@opentelemetry/sdk-trace-base@2')
    writeFileSync(join(folder, 'tracing.mjs'), tracing)
    writeFileSync(join(folder, 'program.ts'), program)
    writeFileSync(join(folder, 'logging.ts'), loggingProgram)
    writeFileSync(join(folder, 'validation.ts'), validationProgram)
    await compileWithEachResolution(folder, { types: ['node'] })
    const shop = `${env['SERVICE_DATA_DIR']}-of-shop`
    for (const name of ['program.js', 'logging.js']) {
      const words = ['--import', join(folder, 'tracing.mjs'), join(folder, name)]
      const server = await startServer(t, { ...env, SERVICE_DATA_DIR: shop, SHOP_PORT: '0' }, words)
      await untilReady(`${server.url}/payments`)
      t.match(await submitApproved(`${server.url}/payments`), COMMITTED)
      await server.saw(/name: 'transaction'/)
      t.equal((await patientFetch(`${server.url}/health`)).status, 404)
      t.equal(await server.stop(), 0)
    }
  })
})
