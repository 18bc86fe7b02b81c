import { build, startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('a rate-limited response has a Retry-After header with the length of the window', async t => {
  const server = await build(t, { RATE_LIMIT_MAX: '1' })
  t.equal((await server.inject('/compliant/enabled')).statusCode, 200)
  const refused = await server.inject('/compliant/enabled')
  t.match(refused.json(), { code: 'RATE_LIMITED', message: 'Too many requests; try again in 60 seconds' })
  t.equal(refused.headers['retry-after'], '60')
})

test('networks of clients', async t => {
  const devnet = await startNetwork(t)
  const limited = async () => {
    const app = await build(t, { RATE_LIMIT_MAX: '2', TRUST_PROXY: 'loopback' }, { devnet })
    return async (address: string) => {
      const { statusCode } = await app.inject({ url: '/nowhere', headers: { 'x-forwarded-for': address } })
      return statusCode === 404
    }
  }

  t.test(
    'a /56 network may send 4 times as many requests as one client, and a /48 network 16 times as many',
    async t => {
      const passed = async (networks: string[]) => {
        const isPassed = await limited()
        let count = 0
        for (const network of networks.flatMap(network => [network, network])) {
          if (await isPassed(`2001:db8:1:${network}::1`)) count += 1
        }
        return count
      }
      const numbers = Array.from({ length: 20 }, (_, index) => String(index + 10))
      t.equal(await passed(numbers.map(number => `ab${number}`)), 8, 'a /56')
      t.equal(await passed(numbers.map(number => `${number}00`)), 32, 'a /48')
    }
  )

  t.test('IPv4 clients share no limit', async t => {
    const isPassed = await limited()
    for (let client = 0; client < 20; client += 1) t.ok(await isPassed(`198.51.100.${client}`))
  })

  t.test('requests rejected for one client do not count towards the limits of its networks', async t => {
    const isPassed = await limited()
    for (let sent = 0; sent < 20; sent += 1) await isPassed('2001:db8:1:1::1')
    t.ok(await isPassed('2001:db8:1:2::1'))
  })
})
