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

test('the load balancer’s read timeout exceeds the submit timeout plus the time for upstream calls', async t => {
  const wait = seconds(balancer, /^ *proxy_read_timeout (\d+)s;/m)
  // Before a submission waits for its block, it calls upstreams in turn, each for at most 5 s (interface 19.1).
  t.ok(wait > submitTimeout + 30, `${wait} s`)
})

test('the load balancer tries other servers for longer than the submit timeout, but not longer than its read timeout', async t => {
  const bound = seconds(balancer, /^ *proxy_next_upstream_timeout (\d+)s;/m)
  t.ok(bound > submitTimeout, 'a server that dies just before the submit timeout')
  t.ok(bound < seconds(balancer, /^ *proxy_read_timeout (\d+)s;/m), 'a server that does not respond')
})

test('the load balancer lists every server in compose.yaml once', async t => {
  const servers = [...compose.matchAll(/^ {2}(server-\d+): /gm)].map(([, name]) => name)
  t.ok(servers.length >= 2)
  const listed = [...compose.matchAll(/^ *server (server-\d+):3001 max_fails=0;$/gm)].map(([, name]) => name)
  t.strictSame(listed, servers)
})

test('a container’s stop_grace_period exceeds the server’s shutdown timeout', async t => {
  const [, grace] = /const graceMs = ([\d_]+)/.exec(read('server.ts')) ?? []
  t.ok(seconds(compose, /^ *stop_grace_period: (\d+)s$/m) * 1000 > Number(grace?.replaceAll('_', '')))
})
