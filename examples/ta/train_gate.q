// Never two trains on the crossing.
A[] not (T(0).crossing && T(1).crossing)
// The queue never holds more trains than there are.
A[] Gate.count <= N
A[] not deadlock
