import { Value } from '@sinclair/typebox/value'
import { ConfigSchema } from '../../config/schema.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const balancer = read('deploy/nginx.conf.template')
const compose = read('compose.yaml')

function seconds(text: string, setting: RegExp): number {
  const [, value] = setting.exec(text) ?? []
  return Number(value)
}

const submitTimeout = Number(Value.Create(ConfigSchema.properties.SERVICE_SUBMIT_TIMEOUT)) / 1000

test('the balancer waits longer for a response than a submission waits for its block', async t => {
  const wait = seconds(balancer, /^ *proxy_read_timeout (\d+)s;/m)
  // Before it waits, a request asks other systems one after the other, each for at most 5 seconds (interface 19.1).
  t.ok(wait > submitTimeout + 30, `${wait} s`)
})

test('the balancer tries another server while a submission waits, but not after its own timeout', async t => {
  const bound = seconds(balancer, /^ *proxy_next_upstream_timeout (\d+)s;/m)
  t.ok(bound > submitTimeout, 'a server that dies at the end of the wait')
  t.ok(bound < seconds(balancer, /^ *proxy_read_timeout (\d+)s;/m), 'a server that does not answer')
})

test('the balancer lists every server of compose.yaml once', async t => {
  const servers = [...compose.matchAll(/^ {2}(server-\d+): /gm)].map(([, name]) => name)
  t.ok(servers.length >= 2)
  const listed = [...compose.matchAll(/^ *server (server-\d+):3001 max_fails=0;$/gm)].map(([, name]) => name)
  t.strictSame(listed, servers)
})

test('a container gets the time that a server needs to stop', async t => {
  const [, grace] = /const graceMs = ([\d_]+)/.exec(read('server.ts')) ?? []
  t.ok(seconds(compose, /^ *stop_grace_period: (\d+)s$/m) * 1000 > Number(grace?.replaceAll('_', '')))
})
