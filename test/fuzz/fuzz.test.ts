import { testHostileRequests } from './fuzz.ts'

testHostileRequests(100)
