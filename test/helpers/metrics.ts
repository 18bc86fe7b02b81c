import type { FastifyInstance } from 'fastify'
import { until } from './until.ts'

/** Returns the first sample with this name and all of these labels in Prometheus' format, or undefined. */
export function sample(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const line = text
    .split('\n')
    .find(line => line.split(/[{ ]/, 1)[0] === name && wanted.every(label => line.includes(label)))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')))
}

/** Waits until `/metrics` reports the expected value, because a response can be up to a second old. */
export async function untilSample(
  server: FastifyInstance,
  name: string,
  labels: Record<string, string>,
  isExpected: (value: number) => boolean
): Promise<string> {
  return until(
    async () => {
      const { body } = await server.inject('/metrics')
      const value = sample(body, name, labels)
      return value !== undefined && isExpected(value) && body
    },
    `${name} ${JSON.stringify(labels)} has the expected value`
  )
}
