import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import { startNetwork, testEnv } from '../helpers/app.ts'
import { transferRequest } from '../helpers/engine-at.ts'
import { readChain } from '../helpers/oracle/index.ts'
import { evaluating, run } from '../helpers/repository.ts'
import { startServer } from '../helpers/server-process.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { send } from './transfers.ts'

const withFailingFlush = ['perl', fileURLToPath(new URL('failing-flush.pl', import.meta.url))]

test('a failed flush returns SUBMISSION_UNKNOWN, and INTAKE_CLOSED to the next client', async t => {
  const network = await startNetwork(t)
  // Without blocks, the server writes nothing but submissions.
  network.chain.pause()
  const env = testEnv(t, network, { SERVICE_SUBMIT_TIMEOUT: '1' })
  const before = await startServer(t, env)
  t.match(await send(before.url, 'fee-0'), { status: 'pending' })
  await until(() => network.chain.mempool.size === 1, 'the transaction is signed and sent')
  await before.stop()

  const failing = await startServer(t, env, undefined, withFailingFlush)
  t.strictSame(await send(failing.url, 'unknown'), { status: 'closed', code: 'SUBMISSION_UNKNOWN' })
  t.strictSame(await send(failing.url, 'closed'), { status: 'closed', code: 'INTAKE_CLOSED' })
  await failing.stop('SIGKILL')

  network.chain.resume()
  const after = await startServer(t, env)
  const isExecuted = async () => (await send(after.url, 'unknown')).status === 'committed'
  await until(isExecuted, 'the chain has executed the submission')
  const { executions } = readChain(network, network.addresses.development)
  t.strictSame(Object.fromEntries(executions), { 'fee-0': 1, unknown: 1 })
})

test('on start, the store flushes data left by a killed process before reading it', async t => {
  const folder = t.testdir()
  const first = createSqliteStore(join(folder, 'first'))
  t.teardown(() => first.close())
  const request = { ...transferRequest('written', { creator: 'service1wallet' }), submissionId: 'id-written' }
  await first.take([request])
  // Copies the files as a killed process would leave them.
  const directory = join(folder, 'copy')
  cpSync(join(folder, 'first'), directory, { recursive: true })

  const program = `
    import { createSqliteStore } from '${import.meta.resolve('../../services/submission/store/sqlite/index.ts')}'
    createSqliteStore(process.argv[1])`
  const [command = '', ...others] = [...withFailingFlush, process.execPath, ...evaluating(program)]
  const start = run(command, [...others, directory])
  t.match(await start.catch(({ stderr }) => stderr), /cannot be opened: disk I\/O error/)

  const next = createSqliteStore(directory)
  t.teardown(() => next.close())
  t.match(await next.find(request.submissionId), { status: 'queued' })
})
