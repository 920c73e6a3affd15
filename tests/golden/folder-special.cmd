# what is no file in a folder is no run: folders, devices
mkdir d; cp data/osprof/elapsed-and-lost.osprof d/1.osprof; ln -s /dev/null d/2.osprof; ln -s ../data/osprof d/3.osprof; osprof show -q d
