A[] rounds <= 3
