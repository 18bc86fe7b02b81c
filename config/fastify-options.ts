import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { errorAnswer } from '../services/errors/answer.ts'
import { requestId } from '../services/http/request-id.ts'
import type { Config } from './index.ts'
import { loggerOptions } from './logging.ts'
import { buildValidator } from './validation.ts'

/** Far above the largest sensible submission, far below what hurts. */
const bodyLimit = 64 * 1024

/** What Node lets through as headers at most; a parameter of any length is then judged by its schema. */
const maxParamLength = 16 * 1024

/** The time that a start may take, in milliseconds: loading the code counts, and a busy machine is slow at it. */
const pluginTimeout = 60_000

/** Errors that come before any route, such as a malformed URL; hooks and error handler do not see them. */
function answerBeforeRouting(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, headers, body } = errorAnswer(error, request.id)
  reply.code(statusCode).headers(headers).send(body)
}

/** Errors that come before there is a request: bytes that are not HTTP, headers without end. */
function answerBrokenRequest(error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const refusal = Object.assign(error, { statusCode: 400 })
  const { statusCode, headers, body } = errorAnswer(refusal, requestId(undefined))
  const text = JSON.stringify(body)
  const head = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...head].join('\r\n')}\r\n\r\n${text}`)
}

/** The options under which the application runs: the server's and the tests' alike. */
export function fastifyOptions(config: Config) {
  return {
    logger: loggerOptions(config),
    trustProxy: config.TRUST_PROXY,
    bodyLimit,
    pluginTimeout,
    routerOptions: { maxParamLength },
    genReqId: request => requestId(request.headers['x-request-id']),
    schemaController: { compilersFactory: { buildValidator } },
    // While closing, what still arrives is answered as ever: a poll for a status must not fail because of it.
    return503OnClosing: false,
    frameworkErrors: answerBeforeRouting,
    clientErrorHandler: answerBrokenRequest
  } satisfies FastifyServerOptions
}
