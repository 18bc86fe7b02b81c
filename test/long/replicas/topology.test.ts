import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { walletAddresses } from '../../../packages/devnet/wallets.ts'
import { createFrontDoor } from '../../faults/front-door.ts'
import { startLoad } from '../../faults/load.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { test } from '../../helpers/tap.ts'
import { runReplicas, START } from './topology/script.ts'

async function statusFrom(localAddress: string, url: string, headers = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { localAddress, headers }, ({ statusCode }) => resolve(statusCode))
    sent.on('error', reject).end()
  })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('no request fails while servers behind the balancer are killed and stopped', async t => {
  const replicas = await runReplicas(t, '--servers', '3', 'RATE_LIMIT_MAX=1000000')
  const { url, rpc, servers, directory, pidOf, leader, restart, interrupt } = replicas
  const door = createFrontDoor()
  door.open(url)
  const load = startLoad(door, 1)
  await load.moreAnswers(50)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const first = leader()
    const follower = servers.find(server => server !== first)
    for (const server of [first, follower]) {
      if (server === undefined) continue
      t.comment(`${signal} to ${server.name}`)
      await restart(server, signal)
      await load.moreAnswers(50)
    }
  }
  await load.finish()
  t.comment(`${load.answers.size} transfers`)
  t.strictSame(load.failed, [])
  const network = { urls: { rpc }, addresses: walletAddresses('service') }
  await assertAnswersHold(t, network, url, load.answers)

  const pids = servers.map(pidOf)
  t.equal(await interrupt(), 0)
  t.strictSame(pids.filter(isRunning), [], 'no server is running after Ctrl-C')
  t.notOk(existsSync(directory), 'the working directory is removed')
})

test('a frozen server delays only one request, and the other servers continue', async t => {
  const { url, servers, pidOf } = await runReplicas(t)
  const [frozen] = servers
  if (frozen === undefined) throw new TypeError('no server')
  process.kill(pidOf(frozen), 'SIGSTOP')
  const waiting = new Set<Promise<unknown>>()
  const answered: number[] = []
  async function ask(): Promise<void> {
    answered.push((await fetch(`${url}/health`)).status)
  }
  try {
    while (answered.length < 10) {
      // Keeps two requests in flight. If the frozen server delayed both, this loop would hang.
      while (waiting.size < 2) {
        const request: Promise<unknown> = ask().finally(() => waiting.delete(request))
        waiting.add(request)
      }
      await Promise.race(waiting)
    }
  } finally {
    process.kill(pidOf(frozen), 'SIGCONT')
  }
  await Promise.all(waiting)
  t.strictSame(answered, Array(answered.length).fill(200))
})

test('the script exits with code 2 if an option is invalid, and 1 if nginx is missing', async t => {
  for (const [code, ...words] of [[2, '--servers=0'], [2, '--port=1'], [2, 'lower=1'], [1]] as const) {
    const script = [process.execPath, '--import', 'tsx/esm', START, ...words] as const
    const { status, stderr } = spawnSync(script[0], script.slice(1), { env: { PATH: '/none' } })
    t.equal(status, code)
    t.match(
      String(stderr),
      code === 1 ? /^nginx is not installed\..*\n$/ : /^.* \(--help lists the options\)\n$/
    )
  }
})

test('the rate limit applies to the client’s address, not the balancer’s', async t => {
  const limit = 5
  const { url } = await runReplicas(t, '--servers', '2', `RATE_LIMIT_MAX=${limit}`)
  const path = `${url}/compliant/enabled`
  const statuses: unknown[] = []
  for (let index = 0; index < 4 * limit; index += 1) statuses.push(await statusFrom('127.0.0.2', path))
  // Each server counts requests separately.
  const expected = [...Array(2 * limit).fill(200), ...Array(2 * limit).fill(429)]
  t.strictSame(statuses.sort(), expected)
  t.equal(await statusFrom('127.0.0.3', path), 200, 'another client has its own limit')
  const forged = { 'x-forwarded-for': '127.0.0.4' }
  t.equal(await statusFrom('127.0.0.2', path, forged), 429, 'a client cannot forge its address')
  for (const path of ['/metrics', '/metrics/'])
    t.equal(await statusFrom('127.0.0.5', `${url}${path}`), 404, path)
})
