# tag: compile
# More statically nested blocks than the compiler allows.
for x in y:
    for x in y:
        for x in y:
            for x in y:
                for x in y:
                    for x in y:
                        for x in y:
                            for x in y:
                                for x in y:
                                    for x in y:
                                        for x in y:
                                            for x in y:
                                                for x in y:
                                                    for x in y:
                                                        for x in y:
                                                            for x in y:
                                                                for x in y:
                                                                    for x in y:
                                                                        for x in y:
                                                                            for x in y:
                                                                                for x in y:
                                                                                    for x in y:
                                                                                        for x in y:
                                                                                            for x in y:
                                                                                                for x in y:
                                                                                                    pass
