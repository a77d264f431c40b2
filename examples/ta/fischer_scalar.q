A[] forall (i : id_t) forall (j : id_t) P(i).critical && P(j).critical imply i == j
