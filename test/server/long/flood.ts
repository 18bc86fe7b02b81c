import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import { submitBody } from '../../helpers/transfer.ts'

// Runs as a separate process, so that the clients of the flood do not slow down the requests of the test.
// Arguments: server URL, clients per address, seconds.

export interface FloodResult {
  /** Number of responses by status and code; `none` counts requests without a response. */
  answers: Record<string, number>
  submissionIds: string[]
}

const MOST_IDS = 100

/** Long, because thousands of clients connect to a busy server. */
const CONNECT_TIMEOUT_MS = 60_000

const [url = '', clients, seconds] = process.argv.slice(2)
const pools = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map(
  localAddress =>
    new Pool(url, { connections: Number(clients), localAddress, connect: { timeout: CONNECT_TIMEOUT_MS } })
)
const result: FloodResult = { answers: {}, submissionIds: [] }

/** Submits in a loop until the flood ends. Ignores Retry-After. */
async function client(pool: Pool): Promise<void> {
  while (performance.now() < end) {
    // The system resets connections when the backlog of the listening socket overflows.
    const answer = await submitOnce(pool).catch(noAnswer)
    result.answers[answer] = (result.answers[answer] ?? 0) + 1
  }
}

function noAnswer(error: Error): string {
  process.stderr.write(`${error.message}\n`)
  return 'none'
}

async function submitOnce(pool: Pool): Promise<string> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/submit',
    headers: { 'content-type': 'application/json' },
    body: submitBody(randomUUID())
  })
  const { code = '', submissionId } = Object(await body.json())
  if (statusCode === 202 && result.submissionIds.length < MOST_IDS) result.submissionIds.push(submissionId)
  return `${statusCode} ${code}`.trim()
}

const forEachClient = (run: (pool: Pool) => Promise<void>) =>
  Promise.all(pools.flatMap(pool => Array.from({ length: Number(clients) }, () => run(pool))))

// Open all connections before the flood, because a busy server accepts connections slowly.
await forEachClient(async pool => {
  const { body } = await pool.request({ method: 'GET', path: '/health' })
  await body.dump()
})
const end = performance.now() + Number(seconds) * 1000
await forEachClient(client)
await Promise.all(pools.map(pool => pool.close()))
process.stdout.write(JSON.stringify(result))
