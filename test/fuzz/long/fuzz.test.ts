import { testHostileRequests } from '../fuzz.ts'

testHostileRequests(500)
